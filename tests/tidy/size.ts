import ts from 'typescript';
import { at, countLines, file, isForTests, isScript, nodes, perFile, type Rule } from './rule.ts';

const FILE_LINES = 250;
const FUNCTION_LINES = 60;
/** Lines of code: neither blank nor comment, so that nobody saves on explanations. */
const CHASSIS_LINES = 3000;
const STYLE_LINES = 150;

const blank = (lines: number): string => '\n'.repeat(lines);

/** `describe('…', () => { … })` only groups the tests in it. */
const isGroup = (node: ts.Node): boolean =>
  ts.isCallExpression(node.parent) && /^describe\b/.test(node.parent.expression.getText());

const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isFunctionLike(node) && 'body' in node && Boolean(node.body);

const files = perFile(
  `a file has at most ${FILE_LINES} lines`,
  isScript,
  ({ path, text }) =>
    countLines(text) > FILE_LINES
      ? [{ path, message: `${countLines(text)} lines: split it along a seam the business names (lead-calls.api.ts)` }]
      : [],
  [file('services/crm/src/leads/leads.api.ts', `${blank(FILE_LINES)}export {};\n`)],
);

const functions = perFile(
  `a function has at most ${FUNCTION_LINES} lines`,
  isScript,
  (source) =>
    nodes(source, isFunction)
      .filter((node) => !isGroup(node))
      .map((node) => ({ node, lines: countLines(node.getText()) }))
      .filter(({ lines }) => lines > FUNCTION_LINES)
      .map(({ node, lines }) => at(source, node, `${lines} lines: name its steps and make each a function`)),
  [
    file('services/crm/src/leads/lead.ts', `export function convert() {${blank(FUNCTION_LINES)}}\n`),
    file('services/crm/src/leads/lead.test.ts', `test('a lead', () => {${blank(FUNCTION_LINES)}});\n`),
  ],
);

const codeLines = (text: string): number =>
  text.split('\n').filter((line) => !/^\s*($|\/\/|\/\*|\*)/.test(line)).length;

const isChassis = (path: string): boolean =>
  path.startsWith('packages/chassis/src/') && isScript(path) && !isForTests(path);

const chassis: Rule = {
  name: `the chassis has at most ${CHASSIS_LINES} lines of code`,
  check: (sources) => {
    const lines = sources.filter(({ path }) => isChassis(path)).reduce((sum, { text }) => sum + codeLines(text), 0);
    const message = `${lines} lines: take out an option that only one operation uses, or use a library`;
    return lines > CHASSIS_LINES ? [{ path: 'packages/chassis/src', message }] : [];
  },
  broken: [
    ['bind', 'list'].map((name) =>
      file(`packages/chassis/src/${name}.ts`, `${'run();\n'.repeat(CHASSIS_LINES / 2)}export {};\n`),
    ),
  ],
};

const style = perFile(
  `STYLE.md has fewer than ${STYLE_LINES} lines`,
  (path) => path === 'STYLE.md',
  ({ path, text }) =>
    countLines(text) < STYLE_LINES
      ? []
      : [{ path, message: 'a rule that a tool enforces needs one line: shorten, nobody reads more' }],
  [file('STYLE.md', blank(STYLE_LINES))],
);

/** How long things may be: what does not fit on a few screens is not read. */
export const size: Rule[] = [files, functions, chassis, style];
