// The boundaries between packages and inside the engine, which no compiler keeps: who may import whom, and no globals.
// @ts-check
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { reportFindings, sourceFiles } from './source-files.mjs';

/** Each package with the ones it may import: arrows point one way. */
const mayImport = { hooks: [], agent: ['hooks'], codey: ['agent', 'hooks'] };
/** How a package is named in an import. */
const packageNames = { '@codey/hooks': 'hooks', '@codey/agent': 'agent', codey: 'codey' };

/** A foreign dialect, and where it may be registered: one file beside its folder. */
const foreignDialects = ['packages/hooks/src/dialects/claude'];

/** Files of the engine that are an edge to the machine, with the reason why. */
const engineEdges = new Map([
  ['packages/hooks/src/sdk/run-hooks.ts', 'runs in the process of a hook, which is nobody else’s'],
  ['packages/hooks/src/runners/depth.ts', 'asks about this very process unless it is told of another'],
]);

/** What belongs to the whole process, so that two sessions in one process would share it. */
const processGlobals = [
  'env',
  'cwd',
  'chdir',
  'exit',
  'exitCode',
  'argv',
  'stdin',
  'stdout',
  'stderr',
  'umask',
  'title',
];
const osGlobals = ['homedir', 'userInfo'];

/**
 * `file:line  what is wrong` for every crossed boundary.
 * @param {string} root
 * @returns {string[]}
 */
export function checkImports(root) {
  const sources = sourceFiles(root)
    .filter((file) => /^packages\/[^/]+\/(src|test)\/.*\.ts$/.test(file))
    .map((file) =>
      ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.ESNext, true),
    );
  return [
    ...sources.flatMap((source) => importsOf(source).flatMap((found) => crossings(root, found))),
    ...foreignDialects.flatMap((dialect) => registrations(dialect, sources)),
    ...sources.filter(isEngine).flatMap(globalsIn),
  ];
}

/**
 * @typedef {{ source: ts.SourceFile, node: ts.Node, specifier: string }} Import
 */

/**
 * Static and dynamic imports, re-exports and type imports.
 * @param {ts.SourceFile} source
 * @returns {Import[]}
 */
function importsOf(source) {
  /** @type {Import[]} */
  const found = [];
  visit(source, (node) => {
    const specifier =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? node.arguments[0]
          : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
            ? node.argument.literal
            : undefined;
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) {
      found.push({ source, node, specifier: specifier.text });
    }
  });
  return found;
}

/**
 * @param {string} root
 * @param {Import} found
 * @returns {string[]}
 */
function crossings(root, { source, node, specifier }) {
  const home = packageOf(source.fileName);
  if (specifier.startsWith('.')) {
    const target = packageOf(posix.join(posix.dirname(source.fileName), specifier));
    // What lies outside all packages is tooling, which only tests may use.
    const isTooling = target === 'none' && source.fileName.endsWith('.test.ts');
    return target === home || isTooling
      ? []
      : [finding(source, node, `${specifier} leaves packages/${home}; import the package by name`)];
  }
  const [name, subpath] = splitSpecifier(specifier);
  if (!(name in packageNames)) return [];
  const target = packageNames[/** @type {keyof typeof packageNames} */ (name)];
  /** @type {readonly string[]} */
  const allowed = mayImport[/** @type {keyof typeof mayImport} */ (home)] ?? [];
  if (target !== home && !allowed.includes(target)) {
    return [finding(source, node, `packages/${home} may not import ${name}`)];
  }
  const { exports = {} } = JSON.parse(readFileSync(join(root, 'packages', target, 'package.json'), 'utf8'));
  return subpath in exports
    ? []
    : [finding(source, node, `${specifier} is not among the exports of ${name}`)];
}

/**
 * Outside its folder a dialect is imported by one file beside it at most; everything else asks the registry.
 * @param {string} dialect
 * @param {readonly ts.SourceFile[]} sources
 * @returns {string[]}
 */
function registrations(dialect, sources) {
  const outside = sources
    .filter((source) => !source.fileName.startsWith(`${dialect}/`))
    .flatMap(importsOf)
    .filter(({ source, specifier }) =>
      specifier.startsWith('.')
        ? posix.join(posix.dirname(source.fileName), specifier).startsWith(`${dialect}/`)
        : false,
    );
  const beside = outside.filter(({ source }) => posix.dirname(source.fileName) === posix.dirname(dialect));
  const [registry] = beside.map(({ source }) => source.fileName);
  return outside
    .filter(({ source }) => source.fileName !== registry)
    .map(({ source, node }) =>
      finding(
        source,
        node,
        `only ${registry ?? `one file in ${posix.dirname(dialect)}`} may import ${dialect}`,
      ),
    );
}

/** @param {ts.SourceFile} source */
function isEngine(source) {
  return (
    source.fileName.startsWith('packages/hooks/src/') &&
    !source.fileName.endsWith('.test.ts') &&
    !source.fileName.startsWith('packages/hooks/src/testing/') &&
    !engineEdges.has(source.fileName)
  );
}

/**
 * Uses of what belongs to the process: `process.env`, `import { cwd } from 'node:process'`, `os.homedir()`.
 * @param {ts.SourceFile} source
 * @returns {string[]}
 */
function globalsIn(source) {
  /** @type {string[]} */
  const found = [];
  visit(source, (node) => {
    const used = ts.isPropertyAccessExpression(node)
      ? isLocal(node.expression, node)
        ? undefined
        : memberOf(node.expression.getText(source), node.name.text)
      : ts.isImportSpecifier(node)
        ? memberOf(moduleOf(node), (node.propertyName ?? node.name).text)
        : undefined;
    if (used !== undefined) {
      found.push(finding(source, node, `${used} belongs to the whole process; the engine gets it passed in`));
    }
  });
  return found;
}

/**
 * @param {string} owner
 * @param {string} member
 */
function memberOf(owner, member) {
  const module = owner.replace(/^node:|^globalThis\./, '');
  const known = module === 'process' ? processGlobals : module === 'os' ? osGlobals : [];
  return known.includes(member) ? `${module}.${member}` : undefined;
}

/**
 * Whether a name means a variable or parameter of a surrounding function and not the global of that name.
 * @param {ts.Node} name
 * @param {ts.Node} use
 */
function isLocal(name, use) {
  if (!ts.isIdentifier(name)) return false;
  for (let scope = use.parent; scope !== undefined; scope = scope.parent) {
    const declared = ts.isFunctionLike(scope)
      ? scope.parameters
      : ts.isBlock(scope)
        ? scope.statements.flatMap((statement) =>
            ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [],
          )
        : [];
    if (declared.some((one) => declares(one.name, name.text))) return true;
  }
  return false;
}

/**
 * @param {ts.BindingName} binding
 * @param {string} name
 * @returns {boolean}
 */
function declares(binding, name) {
  return ts.isIdentifier(binding)
    ? binding.text === name
    : binding.elements.some((element) => ts.isBindingElement(element) && declares(element.name, name));
}

/** @param {ts.ImportSpecifier} specifier */
function moduleOf(specifier) {
  const from = specifier.parent.parent.parent.moduleSpecifier;
  return ts.isStringLiteral(from) ? from.text : '';
}

/**
 * @param {ts.Node} node
 * @param {(node: ts.Node) => void} look
 */
function visit(node, look) {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

/** @param {string} file */
function packageOf(file) {
  return /^packages\/([^/]+)\//.exec(file)?.[1] ?? 'none';
}

/**
 * `@codey/hooks/testing` as `@codey/hooks` and `./testing`.
 * @param {string} specifier
 * @returns {[name: string, subpath: string]}
 */
function splitSpecifier(specifier) {
  const [, name = specifier, rest = ''] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(specifier) ?? [];
  return [name, `.${rest}`];
}

/**
 * @param {ts.SourceFile} source
 * @param {ts.Node} node
 * @param {string} message
 */
function finding(source, node, message) {
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return `${source.fileName}:${line + 1}  ${message}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  reportFindings(
    checkImports(dirname(dirname(fileURLToPath(import.meta.url)))),
    'docs/architecture.md says which way imports may go and why.',
  );
}
