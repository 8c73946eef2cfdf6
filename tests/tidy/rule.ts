import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** A file of the repository, with its path from the root. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** The place where a rule is broken, with a message that names the fix. */
export interface Violation {
  readonly path: string;
  readonly line?: number;
  readonly message: string;
}

/** A rule about the structure of the repository. */
export interface Rule {
  /** The rule as a sentence, for the test report. */
  readonly name: string;
  readonly check: (files: readonly SourceFile[]) => Violation[];
  /** Small repositories that break the rule. The rule must find a violation in each, as proof that it can fail. */
  readonly broken: readonly (readonly SourceFile[])[];
}

/** Creates a file for a fixture. */
export const file = (path: string, text: string): SourceFile => ({ path, text });

/** Creates a rule that checks one file at a time. */
export function perFile(
  name: string,
  applies: (path: string) => boolean,
  find: (source: SourceFile) => Violation[],
  broken: readonly SourceFile[],
): Rule {
  return {
    name,
    check: (files) => files.filter(({ path }) => applies(path)).flatMap(find),
    broken: broken.map((one) => [one]),
  };
}

export const isScript = (path: string): boolean => /\.(ts|mjs|cjs)$/.test(path);

/** Checks whether only tests use a file. */
export const isForTests = (path: string): boolean =>
  /\.test\.ts$|\/(test|fixtures)\/|^(tests|tools)\/|^packages\/testing\//.test(path);

/** Checks whether the code runs in production: services, gateway, packages and the launcher, without their tests. */
export const isProduct = (path: string): boolean =>
  isScript(path) && /^(gateway|services|packages|deploy)\//.test(path) && !isForTests(path);

/** Returns `lead-calls.api.ts` for `services/crm/src/leads/lead-calls.api.ts`. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const trees = new WeakMap<SourceFile, ts.SourceFile>();

/** Returns the syntax tree of a file, parsed once. */
export function tree(source: SourceFile): ts.SourceFile {
  const known = trees.get(source);
  if (known) return known;
  const parsed = ts.createSourceFile(source.path, source.text, ts.ScriptTarget.ESNext, true);
  trees.set(source, parsed);
  return parsed;
}

/** Returns the nodes of a file that match `pick`. */
export function nodes<T extends ts.Node>(source: SourceFile, pick: (node: ts.Node) => node is T): T[] {
  const found: T[] = [];
  const visit = (node: ts.Node): void => {
    if (pick(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree(source));
  return found;
}

/** Returns the line on which a node begins, counted from 1. */
export const lineOf = (node: ts.Node): number =>
  node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;

/** Returns a violation at a node. */
export const violationAt = (source: SourceFile, node: ts.Node, message: string): Violation => ({
  path: source.path,
  line: lineOf(node),
  message,
});

/** Returns the import and re-export specifiers of a file, with their nodes. */
export function imports(source: SourceFile): { node: ts.Node; specifier: string }[] {
  const declarations = nodes(source, (node) => ts.isImportDeclaration(node) || ts.isExportDeclaration(node));
  return declarations.flatMap((node) =>
    node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)
      ? [{ node, specifier: node.moduleSpecifier.text }]
      : [],
  );
}

/** Counts the lines of a text. A final newline does not begin another one. */
export const countLines = (text: string): number => text.replace(/\n$/, '').split('\n').length;

const root = fileURLToPath(new URL('../..', import.meta.url));
const GENERATED = ['packages/proto/src', 'docs', 'gateway/src/routes.json', 'package-lock.json'];
const FOREIGN = new Set(['node_modules', '.git', '.data', '.turbo', 'generated', 'coverage', 'dist']);
const TEXT = /\.(ts|mjs|cjs|json|md|sql|prisma|proto|ya?ml|sh|html|toml|txt)$|Dockerfile$|^\.ci\//;

function walk(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (FOREIGN.has(entry.name) || GENERATED.includes(path)) return [];
    return entry.isDirectory() ? walk(path) : [path];
  });
}

/** Returns the hand-written text files of the repository. */
export const repository = (): SourceFile[] =>
  walk('.')
    .filter((path) => TEXT.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
