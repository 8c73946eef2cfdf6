import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');

const rows = text('docs/untrusted-input.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('.ts |'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, input = '', source = '', limit = '', corpus = '']) => ({ input, source, limit, corpus }));

/** Libraries that parse external input, and libraries whose work depends on rules that users define. */
const PARSERS = [
  '@zone-eu/mailsplit',
  'csv-parse',
  'csv-parse/sync',
  'email-reply-parser',
  'file-type',
  'ical.js',
  'jsep',
  'jsonc-parser',
  'mailparser',
  'markdown-it',
  'rrule',
  'sanitize-html',
  'sharp',
  'xmlbuilder2',
];
/** Sources that use such a library only for writing. */
const WRITERS = [
  'services/hr/src/time/calendars/calendar-file.ts',
  'services/hr/src/payroll/payment-files/bank-file.ts',
];

test('docs/untrusted-input.md lists each source that loads a parser', () => {
  const load = new RegExp(
    `(?:from |import\\(|require\\(|\\)\\()'(?:${PARSERS.map((name) => RegExp.escape(name)).join('|')})'`,
  );
  const sources = globSync('{services,packages,gateway}/{*/,}src/**/*.ts', { cwd: root }).filter(
    (path) => !/\.test\.ts$|\/generated\/|packages\/(testing|demo)\//.test(path),
  );
  const loading = sources.filter((path) => load.test(text(path)) && !WRITERS.includes(path));
  expect(loading.filter((path) => !rows.some(({ source }) => source === path))).toEqual([]);
});

test.each(rows)('$input: has a source, a limit and a test', ({ source, limit, corpus }) => {
  expect([source, corpus].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(limit).not.toBe('');
});
