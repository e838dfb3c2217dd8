// Where bash evaluates arithmetic. A name in it stands for what a variable holds, and an index there may run a command.
import type { Node } from 'web-tree-sitter';

/** A doubt about a node that is evaluated; undefined where it is plain numbers, or no arithmetic. */
export function checkArithmetic(node: Node): string | undefined {
  return parts(node).every(isPlainNumber)
    ? undefined
    : 'an arithmetic evaluation may run what a variable holds';
}

/** Whether an expression is numbers and operators alone. */
export function isPlainNumber(text: string): boolean {
  const plain = text
    .replace(/\$(?:[#?$]|\{#\w+(?:\[[@*]\])?\})/g, '0')
    .replace(/\b(?:0[xX][\da-fA-F]+|\d+#\w+)/g, '0');
  return /^[\d\s+\-*/%<>=!&|^~?:,()]*$/.test(plain);
}

/** The texts of a node, without those of its children, that are evaluated. */
function parts(node: Node): readonly string[] {
  const { text } = node;
  switch (node.type) {
    case 'arithmetic_expansion':
      return [text.startsWith('$[') ? text.slice(2, -1) : text.slice(3, -2)];
    case 'command_substitution':
      // Behind `:-` the grammar takes `$((a))` for a group in a substitution.
      return text.startsWith('$((') && text.endsWith('))') ? [text.slice(3, -2)] : [];
    case 'compound_statement':
    case 'subshell':
      return text.startsWith('((') && text.endsWith('))') ? [text.slice(2, -2)] : [];
    case 'c_style_for_statement':
      return [text.slice(text.indexOf('((') + 2, text.lastIndexOf('))', headLength(node)))];
    case 'test_command':
      return text.startsWith('[[') ? comparedInTest(node) : [];
    case 'expansion':
      return evaluatedInExpansion(text);
    case 'subscript':
      return indices(text.slice(text.indexOf('[')));
    case 'word':
    case 'concatenation':
      // `{a[i]}>f` keeps the descriptor in a variable.
      return /^\{\w+\[/.test(text) ? ['_'] : [];
    case 'array':
      return [...text.matchAll(/[(\s]\[([^\]]*)\]?/g)].map(([, index = '']) => index);
    default:
      return [];
  }
}

function headLength(node: Node): number {
  const body = node.childForFieldName('body');
  return body === null ? node.text.length : body.startIndex - node.startIndex;
}

/**
 * `[[ a -eq 1 ]]` evaluates `a`, quoted or not, and `[[ -v a[i] ]]` the index. Whatever is left of the operators once
 * plain comparisons are taken away is one of those.
 */
function comparedInTest(node: Node): readonly string[] {
  const text = withoutSubstitutions(node).replaceAll('\\\n', '');
  const number = String.raw`(?:"?(?:[-+]?\d+|\$[#?$]|\$\{#\w+(?:\[[@*]\])?\})"?)`;
  const rest = text
    .replace(
      new RegExp(String.raw`(?<=[\s(])${number}\s+-(?:eq|ne|lt|le|gt|ge)\s+${number}(?=[\s)])`, 'g'),
      '',
    )
    .replace(/(?<=\s)-v\s+[A-Za-z_]\w*(?=[\s)])/g, '');
  return [...rest.matchAll(/-(?:eq|ne|lt|le|gt|ge|v|R)(?![\w-])/g)].map(([operator]) => `_${operator}`);
}

/** A substitution is read by itself; here it is the value of some variable. */
function withoutSubstitutions(node: Node): string {
  let text = '';
  let end = node.startIndex;
  for (const { startIndex, endIndex } of node.descendantsOfType([
    'command_substitution',
    'process_substitution',
  ])) {
    if (startIndex < end) continue;
    text += `${node.text.slice(end - node.startIndex, startIndex - node.startIndex)}$_`;
    end = endIndex;
  }
  return text + node.text.slice(end - node.startIndex);
}

/** `${x[i]}`, `${x:i}` and `${!x}`, which takes what x holds for a name, with an index or without. */
function evaluatedInExpansion(text: string): readonly string[] {
  const parameter = /^\$\{(?:#(?!\}))?(!?)(\w+|[@*#?$!-])(\[(?:[^\]]*)\]?)?/.exec(text);
  if (parameter === null) return [];
  const [head, indirect, , index] = parameter;
  const behind = text.slice(head.length, -1);
  const listed = index === '[@]' || index === '[*]' || behind === '@' || behind === '*';
  return [
    ...(indirect === '!' && !listed ? ['_'] : []),
    ...(index === undefined ? [] : indices(index)),
    ...(/^:(?![-=?+])/.test(behind) ? [behind.slice(1)] : []),
  ];
}

function indices(bracketed: string): readonly string[] {
  return /^\[[@*]\]$/.test(bracketed) ? [] : [bracketed.slice(1, -1)];
}
