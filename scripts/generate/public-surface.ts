// What a package exports, read from its sources: name, signature and doc comment of each, without asking a type checker.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

export interface PublicExport {
  readonly name: string;
  readonly kind: 'function' | 'class' | 'interface' | 'type' | 'constant';
  /** The declaration without bodies and values. */
  readonly signature: string;
  /** The text of its doc comment; empty where there is none. */
  readonly doc: string;
  /** Where it is declared. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** In the order of the entry file. Throws for an export whose declaration is not in the sources. */
export function publicSurface(entry: string): readonly PublicExport[] {
  const sources = new Map<string, ts.SourceFile>();

  function sourceOf(file: string): ts.SourceFile {
    const known = sources.get(file);
    if (known !== undefined) return known;
    const text = readFileSync(file, 'utf8');
    const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
    sources.set(file, parsed);
    return parsed;
  }

  function find(file: string, name: string): PublicExport {
    const source = sourceOf(file);
    for (const statement of source.statements) {
      const declared = declarationIn(statement, name);
      if (declared !== undefined) return describe(declared, name, source);
      const passedOn = passedOnBy(statement, file).find(({ as }) => as === name);
      if (passedOn !== undefined) return { ...find(passedOn.file, passedOn.name), name };
    }
    throw new Error(`${file} does not export ${name}`);
  }

  /** `export { a, type b as c } from './d.ts'`. */
  function passedOnBy(statement: ts.Statement, file: string) {
    if (!ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier, exportClause } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) return [];
    const target = join(dirname(file), moduleSpecifier.text);
    return exportClause.elements.map(({ name, propertyName }) => ({
      as: name.text,
      name: (propertyName ?? name).text,
      file: target,
    }));
  }

  function declarationIn(statement: ts.Statement, name: string): Declaration | undefined {
    if (ts.isVariableStatement(statement)) {
      const found = statement.declarationList.declarations.find((one) => one.name.getText() === name);
      return found && { kind: 'constant', node: statement, variable: found };
    }
    const named =
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement);
    if (!named || statement.name?.text !== name) return undefined;
    if (ts.isFunctionDeclaration(statement)) return { kind: 'function', node: statement };
    if (ts.isClassDeclaration(statement)) return { kind: 'class', node: statement };
    return { kind: ts.isInterfaceDeclaration(statement) ? 'interface' : 'type', node: statement };
  }

  function describe(declared: Declaration, name: string, source: ts.SourceFile): PublicExport {
    const { line } = source.getLineAndCharacterOfPosition(declared.node.getStart());
    return {
      name,
      kind: declared.kind,
      signature: signatureOf(declared, source),
      doc: docOf(declared.node),
      file: source.fileName,
      line: line + 1,
    };
  }

  function docOf(node: ts.Node): string {
    const comment = ts.getJSDocCommentsAndTags(node).findLast((one) => ts.isJSDoc(one));
    if (comment === undefined || !ts.isJSDoc(comment)) return '';
    return (ts.getTextOfJSDocComment(comment.comment) ?? '').replace(/\s*\n\s*(?!\s*-)/g, ' ').trim();
  }

  return sourceOf(entry).statements.flatMap((statement) =>
    passedOnBy(statement, entry).map(({ as, name, file }) => ({ ...find(file, name), name: as })),
  );
}

type Declaration =
  | { readonly kind: 'function'; readonly node: ts.FunctionDeclaration }
  | { readonly kind: 'class'; readonly node: ts.ClassDeclaration }
  | { readonly kind: 'interface' | 'type'; readonly node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration }
  | {
      readonly kind: 'constant';
      readonly node: ts.VariableStatement;
      readonly variable: ts.VariableDeclaration;
    };

function signatureOf(declared: Declaration, source: ts.SourceFile): string {
  const text = (from: number, to: number) =>
    source.text
      .slice(from, to)
      .trim()
      .replace(/^export /, '');
  const { node } = declared;
  switch (declared.kind) {
    case 'function':
      return text(node.getStart(), declared.node.body?.getStart() ?? node.end).replace(/^async /, '');
    case 'class':
      return text(node.getStart(), declared.node.members[0]?.getFullStart() ?? node.end).replace(
        /\s*\{$/,
        '',
      );
    case 'interface':
    case 'type':
      return text(node.getStart(), node.end);
    case 'constant': {
      const { variable } = declared;
      const end = variable.type?.end ?? variable.name.end;
      return `const ${text(variable.getStart(), end)}`;
    }
  }
}
