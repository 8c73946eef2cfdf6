import ts from 'typescript';
import { at, countLines, file, isScript, nodes, perFile, type Rule } from './rule.ts';

const FILE_LINES = 280;
const FUNCTION_LINES = 60;
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
export const size: Rule[] = [files, functions, style];
