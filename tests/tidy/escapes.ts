import ts from 'typescript';
import {
  violationAt,
  baseName,
  file,
  isForTests,
  isProduct,
  isScript,
  nodes,
  perFile,
  type Rule,
  type SourceFile,
} from './rule.ts';

// These files contain the patterns that they forbid.
const isRuleFile = (path: string): boolean => path.startsWith('tests/tidy');

/** Creates a rule that searches the text, comments included. */
function noText(
  name: string,
  applies: (path: string) => boolean,
  pattern: RegExp,
  advice: string,
  broken: SourceFile[],
): Rule {
  const find = ({ path, text }: SourceFile) =>
    text.split('\n').flatMap((line, index) => {
      const match = pattern.exec(line);
      return match ? [{ path, line: index + 1, message: `${match[0]}: ${advice}` }] : [];
    });
  return perFile(name, (path) => applies(path) && !isRuleFile(path), find, broken);
}

const leftovers = noText(
  'no work is left as a comment',
  (path) => !path.endsWith('.md'),
  /\b(FIXME|TODO|XXX|HACK)\b/,
  'do it now, or open an issue',
  [
    file('services/crm/src/leads/lead.ts', '// TODO: check the stage\n'),
    file('services/crm/prisma/migrations/1_first/migration.sql', '-- FIXME slow\n'),
  ],
);

const directives = noText(
  'no comment disables a tool',
  isScript,
  /@ts-(ignore|expect-error|nocheck)|(eslint|oxlint|biome|prettier)-(disable|ignore)/,
  'repair the type or the code; if the tool is wrong, change its configuration for all files',
  [
    file('services/crm/src/leads/lead.ts', '// @ts-ignore\n'),
    file('services/crm/src/leads/lead.ts', '/* oxlint-disable no-console */\n'),
  ],
);

const isAny = (node: ts.Node): node is ts.KeywordTypeNode => node.kind === ts.SyntaxKind.AnyKeyword;

const any = perFile(
  'nothing is typed as any',
  isScript,
  (source) =>
    nodes(source, isAny).map((node) => violationAt(source, node, 'write the type, or `unknown` and narrow it')),
  [file('services/crm/src/leads/lead.ts', 'export const lead: any = 1;\n')],
);

const isConfig = (path: string): boolean => /(^|[.-])config\.(ts|mjs)$/.test(baseName(path));
const isEnvironment = (node: ts.Node): node is ts.PropertyAccessExpression =>
  ts.isPropertyAccessExpression(node) && /^(globalThis\.)?process\.env$/.test(node.getText());

const environment = perFile(
  'only config.ts reads the environment',
  (path) => isProduct(path) && !isConfig(path),
  (source) =>
    nodes(source, isEnvironment).map((node) =>
      violationAt(source, node, 'declare the variable in config.ts and pass its value'),
    ),
  [file('services/crm/src/leads/lead.ts', "export const url = process.env['URL'];\n")],
);

const isNow = (node: ts.Node): node is ts.Expression =>
  (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) ||
  (ts.isCallExpression(node) && node.expression.getText() === 'Date.now');

const now = perFile(
  'only clock.ts reads the time',
  (path) => isProduct(path) && baseName(path) !== 'clock.ts',
  (source) =>
    nodes(source, isNow).map((node) => violationAt(source, node, 'use clock.now(), so that a test can stop the clock')),
  [
    file('services/crm/src/leads/lead.ts', 'export const then = new Date();\n'),
    file('gateway/src/session.ts', 'export const then = Date.now();\n'),
  ],
);

const SKIPPED = /^(test|it|describe)(\.\w+)*\.(skip|only|todo|failing)$|^(xit|xtest|xdescribe|fit|fdescribe)$/;
const isSkipped = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && SKIPPED.test(node.expression.getText().replace(/\.each\b[\s\S]*$/, ''));

const skipped = perFile(
  'no test is skipped or run exclusively',
  isForTests,
  (source) => nodes(source, isSkipped).map((node) => violationAt(source, node, 'repair the test, or delete it')),
  [
    file('services/crm/src/leads/lead.test.ts', "test.skip('a lead converts once', () => {});\n"),
    file('services/crm/src/leads/lead.test.ts', "describe.only('a lead', () => {});\n"),
    file('services/crm/src/leads/lead.test.ts', "test.todo('a lead converts once');\n"),
    file('services/crm/src/leads/lead.test.ts', "test.skip.each([1])('a lead %s', () => {});\n"),
  ],
);

/** Rules against bypassing the compiler, the clock, the configuration and the tests. */
export const escapes: Rule[] = [leftovers, directives, any, environment, now, skipped];
