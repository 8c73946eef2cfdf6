import ts from 'typescript';
import { at, countLines, file, isForTests, isScript, nodes, perFile, type Rule } from './rule.ts';

const FILE_LINES = 250;
const FUNCTION_LINES = 60;
/** Lines of code: neither blank nor comment, so that nobody saves on explanations. */
const ROOM_LINES = 1000;
const ROOM_FILES = 12;
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

/** The room of the chassis that a file lies in; '' for the entrances beside the rooms. */
function chassisRoom(path: string): string | undefined {
  const [, room = ''] = /^packages\/chassis\/src\/(?:(\w+)\/)?[^/]+$/.exec(path) ?? [undefined, undefined];
  return path.startsWith('packages/chassis/src/') && isScript(path) && !isForTests(path) ? room : undefined;
}

const chassis: Rule = {
  name: `a room of the chassis has at most ${ROOM_FILES} files and ${ROOM_LINES} lines of code`,
  check: (sources) => {
    const rooms = Map.groupBy(sources, ({ path }) => chassisRoom(path));
    rooms.delete(undefined);
    return [...rooms].flatMap(([room, inside]) => {
      const lines = inside.reduce((sum, { text }) => sum + codeLines(text), 0);
      const message = `${inside.length} files, ${lines} lines: take out an option that only one operation uses, or use a library`;
      return lines > ROOM_LINES || inside.length > ROOM_FILES
        ? [{ path: `packages/chassis/src/${room}`, message }]
        : [];
    });
  },
  broken: [
    ['bind', 'reply'].map((name) =>
      file(`packages/chassis/src/http/${name}.ts`, `${'run();\n'.repeat(ROOM_LINES / 2)}export {};\n`),
    ),
    Array.from({ length: ROOM_FILES + 1 }, (_, at) => file(`packages/chassis/src/http/part-${at}.ts`, 'export {};\n')),
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
