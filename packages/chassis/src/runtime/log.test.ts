import { expect, test } from '@jest/globals';
import pino from 'pino';
import { OutageLog } from './log.ts';

const LEVELS = new Map([
  [30, 'info'],
  [40, 'warn'],
  [50, 'error'],
]);

/** Opens a log that collects the level and the text of each line. */
function collect() {
  const lines: string[] = [];
  const write = (line: string) => {
    const { level, msg } = JSON.parse(line);
    lines.push(`${LEVELS.get(level)} ${msg}`);
  };
  return { lines, log: pino({}, { write }) };
}

test('an outage logs its first failure as information, and more only if it lasts', () => {
  const { lines, log } = collect();
  const [brief, lasting] = [new OutageLog(600_000), new OutageLog(0)];
  for (const message of ['first', 'soon']) brief.failed(log, new Error('down'), message);
  expect(lines).toEqual(['info first']);
  for (const message of ['begins', 'lasts']) lasting.failed(log, new Error('down'), message);
  lasting.failed(log, new Error('down'), 'persists', 'error');
  expect(lines.slice(1)).toEqual(['info begins', 'warn lasts', 'error persists']);
});

test('an outage that has ended begins again with information', () => {
  const { lines, log } = collect();
  const outage = new OutageLog(0);
  for (const message of ['one', 'two']) {
    outage.failed(log, new Error('down'), message);
    outage.end();
  }
  expect(lines).toEqual(['info one', 'info two']);
});
