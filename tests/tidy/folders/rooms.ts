import { dirname, join } from 'node:path/posix';
import ts from 'typescript';
import {
  violationAt,
  countLines,
  file,
  imports,
  isForTests,
  isScript,
  nodes,
  perFile,
  type Rule,
  type SourceFile,
} from '../rule.ts';

const FILE_LINES = 280;
const FUNCTION_LINES = 60;
const STYLE_LINES = 150;

const blank = (lines: number): string => '\n'.repeat(lines);

/** Checks for `describe('…', () => { … })`, which only groups its tests. */
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
      .map(({ node, lines }) => violationAt(source, node, `${lines} lines: name its steps and make each a function`)),
  [
    file('services/crm/src/leads/lead.ts', `export function convert() {${blank(FUNCTION_LINES)}}\n`),
    file('services/crm/src/leads/lead.test.ts', `test('a lead', () => {${blank(FUNCTION_LINES)}});\n`),
  ],
);

const style = perFile(
  `STYLE.md has fewer than ${STYLE_LINES} lines`,
  (path) => path === 'STYLE.md',
  ({ path, text }) =>
    countLines(text) < STYLE_LINES ? [] : [{ path, message: 'a rule that a tool enforces needs one line: shorten it' }],
  [file('STYLE.md', blank(STYLE_LINES))],
);

/** Lines of code without blank lines and comments, so that explanations cost nothing. */
const ROOM_LINES = 1000;
const ROOM_FILES = 12;

const codeLines = (text: string): number =>
  text.split('\n').filter((line) => !/^\s*($|\/\/|\/\*|\*)/.test(line)).length;

/** Sources with a room per folder: the machinery, the services with one noun per folder, and the programs. */
const ROOMS =
  /^((?:gateway|deploy\/local|packages\/(?:api-docs|chassis|money|pdf|testing))\/src|tools\/[^/]+)\/(?:([^/]+)\/)?/;

const isOfService = (path: string): boolean => /^services\/[^/]+\/src\//.test(path);

const isTest = (path: string): boolean => /\.test\.ts$|\/(test|fixtures)\//.test(path);

/** Returns the room of a file. Entry files outside the rooms belong to `src`. */
function roomOf(path: string): string | undefined {
  if (!isScript(path) || isTest(path)) return undefined;
  if (isOfService(path)) return dirname(path);
  const [, sources, room] = ROOMS.exec(path) ?? [];
  return sources && join(sources, room ?? '');
}

const roomSize: Rule = {
  name: `a source folder has at most ${ROOM_FILES} files and ${ROOM_LINES} lines of code`,
  check: (sources) => {
    const rooms = Map.groupBy(sources, ({ path }) => roomOf(path));
    rooms.delete(undefined);
    return [...rooms].flatMap(([room = '', inside]) => {
      const lines = inside.reduce((sum, { text }) => sum + codeLines(text), 0);
      const message = `${inside.length} files, ${lines} lines: a noun has a folder of its own; machinery loses an option that only one operation uses`;
      return lines > ROOM_LINES || inside.length > ROOM_FILES ? [{ path: room, message }] : [];
    });
  },
  broken: [
    ['bind', 'reply'].map((name) =>
      file(`packages/chassis/src/http/${name}.ts`, `${'run();\n'.repeat(ROOM_LINES / 2)}export {};\n`),
    ),
    Array.from({ length: ROOM_FILES + 1 }, (_, at) => file(`packages/chassis/src/http/part-${at}.ts`, 'export {};\n')),
    Array.from({ length: ROOM_FILES + 1 }, (_, at) => file(`gateway/src/request/part-${at}.ts`, 'export {};\n')),
    Array.from({ length: ROOM_FILES + 1 }, (_, at) =>
      file(`services/platform/src/users/part-${at}.ts`, 'export {};\n'),
    ),
    Array.from({ length: ROOM_FILES + 1 }, (_, at) => file(`packages/api-docs/src/part-${at}.ts`, 'export {};\n')),
    Array.from({ length: ROOM_FILES + 1 }, (_, at) => file(`packages/testing/src/part-${at}.ts`, 'export {};\n')),
    Array.from({ length: ROOM_FILES + 1 }, (_, at) => file(`tools/bench/part-${at}.ts`, 'export {};\n')),
  ],
};

const SOURCES = /^((?:gateway|(?:services|packages|deploy)\/[^/]+)\/src)\/([^/]+)\//;

/** The folder of a file: below `src`, or the innermost one of a service. A file in `src` itself represents itself. */
function folderOf(path: string): string {
  const top = SOURCES.exec(path)?.[0];
  return top && isOfService(path) ? `${dirname(path)}/` : (top ?? path);
}

interface FolderImport {
  source: SourceFile;
  node: Parameters<typeof violationAt>[1];
  from: string;
  to: string;
}

/** Returns the imports from one folder, or from a file outside the folders, to another one. */
function folderImports(source: SourceFile): FolderImport[] {
  const from = folderOf(source.path);
  return imports(source)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ node, specifier }) => ({ source, node, from, to: folderOf(join(dirname(source.path), specifier)) }))
    .filter(({ to }) => to !== from);
}

/** Returns the folders that a folder reaches by following imports. */
function reachableFolders(start: string, next: ReadonlyMap<string, readonly FolderImport[]>): Set<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const { to } of next.get(folder) ?? []) {
      if (!reached.has(to)) waiting.push(to);
      reached.add(to);
    }
  }
  return reached;
}

const lead = file('packages/chassis/src/http/bind.ts', "import { list } from '../lists/list.ts';\n");

const circles: Rule = {
  name: 'folders import each other in one direction',
  check: (sources) => {
    const isChecked = (path: string) =>
      isScript(path) && (!isForTests(path) || (path.startsWith('packages/testing/') && !path.endsWith('.test.ts')));
    const all = sources.filter(({ path }) => isChecked(path)).flatMap(folderImports);
    const next = Map.groupBy(all, ({ from }) => from);
    const reached = new Map([...next.keys()].map((folder) => [folder, reachableFolders(folder, next)]));
    // Circular imports of two files outside the folders are found by the rule "circle" of .dependency-cruiser.mjs.
    return all
      .filter(({ from, to }) => from.endsWith('/') || to.endsWith('/'))
      .filter(({ from, to }) => reached.get(to)?.has(from))
      .map(({ source, node, from, to }) =>
        violationAt(source, node, `${from} and ${to} need each other: move what both need into a folder below them`),
      );
  },
  broken: [
    [lead, file('packages/chassis/src/lists/list.ts', "import { bind } from '../http/bind.ts';\n")],
    [lead, file('packages/chassis/src/lists/list.ts', "import type { Bind } from '../http/bind.ts';\n")],
    [
      file('gateway/src/request/routing.ts', "import { limit } from '../limits/rate-limits.ts';\n"),
      file('gateway/src/limits/rate-limits.ts', "import { session } from '../session/session.ts';\n"),
      file('gateway/src/session/session.ts', "import { routing } from '../request/routing.ts';\n"),
    ],
    [
      file('gateway/src/gateway.ts', "import { routing } from './request/routing.ts';\n"),
      file('gateway/src/request/routing.ts', "import { gateway } from '../gateway.ts';\n"),
    ],
    [
      file('packages/testing/src/suite/started.ts', "import { placeOf } from '../jest/test-place.ts';\n"),
      file('packages/testing/src/jest/runner.ts', "import { stop } from '../suite/stop.ts';\n"),
    ],
    [
      file('services/support/src/tickets/ticket.ts', "import { faq } from '../faqs/faq.ts';\n"),
      file('services/support/src/faqs/faq.ts', "import { ticket } from '../tickets/ticket.ts';\n"),
    ],
  ],
};

/** Limits on files and folders, so that newcomers can read them one at a time: small, with imports in one direction. */
export const rooms: Rule[] = [files, functions, style, roomSize, circles];
