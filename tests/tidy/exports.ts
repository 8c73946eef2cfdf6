import { dirname, join } from 'node:path/posix';
import ts from 'typescript';
import { violationAt, baseName, file, isScript, nodes, perFile, type Rule, type SourceFile, tree } from './rule.ts';

/** Checks whether a tool requires a default export of the file. */
const wantsDefault = (path: string): boolean =>
  /\.config\.mjs$|^\.dependency-cruiser\.mjs$|\/jest\/(global-setup|global-teardown|runner|sequencer|test-runner)\.ts$/.test(
    path,
  );

const isDefault = (node: ts.Node): node is ts.Statement =>
  (ts.isExportAssignment(node) && !node.isExportEquals) ||
  (ts.canHaveModifiers(node) &&
    Boolean(ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)));

const defaults = perFile(
  'no file has a default export',
  (path) => isScript(path) && !wantsDefault(path),
  (source) =>
    nodes(source, isDefault).map((node) => violationAt(source, node, 'use a named export, so that a search finds it')),
  [
    file('services/crm/src/leads/lead.ts', 'export default function convert() {}\n'),
    file('services/crm/src/leads/lead.ts', 'const lead = {};\nexport default lead;\n'),
  ],
);

/** Returns the entry files of the packages, as listed in the `exports` of their package.json. */
function frontDoors(files: readonly SourceFile[]): Set<string> {
  const packages = files.filter(({ path }) => baseName(path) === 'package.json');
  const doors = packages.flatMap(({ path, text }) => {
    const { exports = {} } = JSON.parse(text) as { exports?: Record<string, string> };
    return Object.values(exports).map((target) => join(dirname(path), target));
  });
  return new Set(doors);
}

/** Checks whether a file defines nothing and only re-exports. */
function isReexport(source: SourceFile): boolean {
  const { statements } = tree(source);
  const onlyPasses = statements.every((one) => ts.isExportDeclaration(one) || ts.isImportDeclaration(one));
  const isEmptyModule = (one: ts.ExportDeclaration) => one.getText().replace(/\s/g, '').startsWith('export{}');
  return onlyPasses && statements.some((one) => ts.isExportDeclaration(one) && !isEmptyModule(one));
}

const barrels: Rule = {
  name: 'no file only re-exports, except for the entry point of a package',
  check(files) {
    const doors = frontDoors(files);
    return files
      .filter(({ path }) => isScript(path) && !doors.has(path))
      .filter(isReexport)
      .map(({ path }) => ({ path, line: 1, message: 'import from the file that defines it, and delete this one' }));
  },
  broken: [
    [file('services/crm/src/leads/index.ts', "export * from './lead.ts';\n")],
    [file('services/crm/src/leads/all.ts', "import { lead } from './lead.ts';\nexport { lead };\n")],
  ],
};

const BANNED = ['data', 'info', 'item', 'manager', 'helper', 'util', 'process'];
const isBanned = (word: string): boolean => BANNED.includes(word.toLowerCase().replace(/s$/, ''));
const isVague = (name: string): boolean =>
  BANNED.includes(name.toLowerCase()) || /[a-z](Manager|Helper|Util|Info)s?$/.test(name);

/** Returns the names that a statement declares and exports. */
function exported(statement: ts.Statement): ts.Node[] {
  if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
    return statement.exportClause.elements.map(({ name }) => name);
  }
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name);
  return 'name' in statement && statement.name ? [statement.name as ts.Node] : [];
}

const names = perFile(
  `nothing exported is called ${BANNED.join(', ')}`,
  isScript,
  (source) =>
    [...tree(source).statements]
      .flatMap(exported)
      .filter((name) => isVague(name.getText()))
      .map((name) =>
        violationAt(
          source,
          name,
          `\`${name.getText()}\` is too vague: use the field's own term (lead, ledger entry, price)`,
        ),
      ),
  [
    file('services/crm/src/leads/lead.ts', 'export const data = 1;\n'),
    file('services/crm/src/leads/lead.ts', 'export class LeadManager {}\n'),
    file('services/crm/src/leads/lead.ts', 'const info = 1;\nexport { info };\n'),
  ],
);

const files = perFile(
  `no file is called ${BANNED.join(', ')}`,
  isScript,
  ({ path }) =>
    baseName(path)
      .split('.')
      .slice(0, -1)
      .filter((name) => name !== 'open-items')
      .map((name) => name.slice(name.lastIndexOf('-') + 1))
      .filter(isBanned)
      .map((word) => ({ path, message: `\`${word}\` is too vague: name the file by its content` })),
  [file('services/crm/src/leads/lead-utils.ts', 'export {};\n'), file('services/crm/src/data.ts', 'export {};\n')],
);

/** Rules for exported symbols and their names. */
export const exportRules: Rule[] = [defaults, barrels, names, files];
