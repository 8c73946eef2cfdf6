import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** A file of the repository, by its path from the root. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Where a rule is broken. The message names what to do instead. */
export interface Violation {
  readonly path: string;
  readonly line?: number;
  readonly message: string;
}

/** One rule about the shape of the repository. */
export interface Rule {
  /** The rule as a sentence, for the test report. */
  readonly name: string;
  readonly check: (files: readonly SourceFile[]) => Violation[];
  /** Small repositories that break the rule, each of which must be found out: the proof that the rule can fail. */
  readonly broken: readonly (readonly SourceFile[])[];
}

/** A file that exists only as a fixture. */
export const file = (path: string, text: string): SourceFile => ({ path, text });

/** A rule that looks at one file at a time. */
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

/** Files that only tests use. */
export const isForTests = (path: string): boolean =>
  /\.test\.ts$|\/(test|fixtures)\/|^(tests|tools)\/|^packages\/testing\//.test(path);

/** The example service keeps the rules of all services; only its routes are its own, since nobody serves it. */
export const isExample = (path: string): boolean => path.startsWith('packages/example-service/');

/** The code that runs in production: services, gateway, packages and the launcher, without their tests. */
export const isProduct = (path: string): boolean =>
  isScript(path) && /^(gateway|services|packages|deploy)\//.test(path) && !isForTests(path);

/** `lead-calls.api.ts` of `services/crm/src/leads/lead-calls.api.ts`. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const trees = new WeakMap<SourceFile, ts.SourceFile>();

/** The syntax tree of a file, parsed once. */
export function tree(source: SourceFile): ts.SourceFile {
  const known = trees.get(source);
  if (known) return known;
  const parsed = ts.createSourceFile(source.path, source.text, ts.ScriptTarget.ESNext, true);
  trees.set(source, parsed);
  return parsed;
}

/** Every node of a file for which `pick` says yes. */
export function nodes<T extends ts.Node>(source: SourceFile, pick: (node: ts.Node) => node is T): T[] {
  const found: T[] = [];
  const visit = (node: ts.Node): void => {
    if (pick(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree(source));
  return found;
}

/** The line on which a node begins, counted from 1. */
export const lineOf = (node: ts.Node): number =>
  node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;

/** A violation at a node. */
export const at = (source: SourceFile, node: ts.Node, message: string): Violation => ({
  path: source.path,
  line: lineOf(node),
  message,
});

/** The specifiers a file imports or re-exports from, with their nodes. */
export function imports(source: SourceFile): { node: ts.Node; specifier: string }[] {
  const declarations = nodes(source, (node) => ts.isImportDeclaration(node) || ts.isExportDeclaration(node));
  return declarations.flatMap((node) =>
    node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)
      ? [{ node, specifier: node.moduleSpecifier.text }]
      : [],
  );
}

/** Lines of a text; a final newline does not begin another one. */
export const countLines = (text: string): number => text.replace(/\n$/, '').split('\n').length;

const root = fileURLToPath(new URL('../..', import.meta.url));
const GENERATED = ['packages/proto/src', 'docs', 'gateway/src/routes.json', 'package-lock.json'];
const FOREIGN = new Set(['node_modules', '.git', '.data', '.turbo', 'generated', 'coverage', 'dist']);
const TEXT = /\.(ts|mjs|cjs|json|md|sql|prisma|proto|ya?ml|sh|html|toml)$|Dockerfile$|^\.ci\//;

function walk(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (FOREIGN.has(entry.name) || GENERATED.includes(path)) return [];
    return entry.isDirectory() ? walk(path) : [path];
  });
}

/** Every text of the repository that people write. */
export const repository = (): SourceFile[] =>
  walk('.')
    .filter((path) => TEXT.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
