// Splits a comma list of permission rules, whose own commas stand inside parentheses.

/** `read_file, run_shell(echo a,b)` is two rules. */
export function splitRules(text: string): readonly string[] {
  const rules: string[] = [];
  let depth = 0;
  let current = '';
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth = Math.max(0, depth - 1);
    if (character === ',' && depth === 0) {
      rules.push(current);
      current = '';
    } else {
      current += character;
    }
  }
  rules.push(current);
  return rules.map((rule) => rule.trim()).filter((rule) => rule !== '');
}
