import { describe, expect, test } from '@jest/globals';
import { readLog, UnreadableLog } from './log.rules.ts';

const SIZE = 1_000_000;
const repeatPart = (part: string): string => part.repeat(SIZE / part.length);
const HEADER = 'employee_code,at,type,device_id\n';

/** Returns the processor time of a call, in milliseconds. */
function workOf(call: () => unknown): number {
  const before = process.cpuUsage();
  try {
    call();
  } catch {
    // Only the time counts.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('a hostile log', () => {
  test.each([
    ['a line without an end', `${HEADER}${repeatPart('x')}`],
    ['a header of 500,000 columns', repeatPart('a,')],
    ['a line of 1,000,000 columns', `${HEADER}${repeatPart(',')}`],
    ['a quoted text without an end', `${HEADER}"${repeatPart('a\n')}`],
    ['quotes within quotes', `${HEADER}${repeatPart('"a""')}`],
    ['blanks', `${HEADER}${repeatPart(' ')}`],
    ['lines that are too short', `${HEADER}${repeatPart('1,2\n')}`],
    ['lines beyond the limit', `${HEADER}${repeatPart('1,2026-01-01 08:00,in,d\n')}`],
    ['empty lines', `${HEADER}${repeatPart('\n')}`],
    ['bytes of a program', repeatPart('\0')],
    ['byte order marks', repeatPart('\ufeff')],
    [
      'thousands of columns in each line',
      `${HEADER.trim()}${',a'.repeat(4_000)}\n${repeatPart(`${','.repeat(4_003)}\n`)}`,
    ],
    [
      'columns repeated thousands of times',
      `${HEADER.trim()}${',at'.repeat(3_000)}\n${repeatPart(`${','.repeat(3_003)}\n`)}`,
    ],
  ])('is rejected with a specific fault if it has %s', (_, text) => {
    expect(() => readLog(text)).toThrow(expect.objectContaining({ status: 422, code: UnreadableLog.code }));
  });

  // Five megabytes took 1.8 seconds before the columns were checked first.
  test.each([
    ['thousands of columns', `${HEADER.trim()}${',a'.repeat(4_000)}\n${`${','.repeat(4_003)}\n`.repeat(1_250)}`],
    ['repeated columns', `${HEADER.trim()}${',at'.repeat(3_000)}\n${`${','.repeat(3_003)}\n`.repeat(1_600)}`],
    ['byte order marks', '\ufeff'.repeat(1_700_000)],
    ['wide spaces', `${HEADER}1,2026-01-01 08:00,in,d\n${'\u3000'.repeat(1_700_000)}`],
  ])('does not block other requests if it has %s', (_, text) => {
    expect(Math.min(...[1, 2].map(() => workOf(() => readLog(text))))).toBeLessThan(300);
  });

  test('is read up to the limits only, so an invalid line beyond them is not reached', () => {
    const most = `${HEADER}${'1,2026-01-01 08:00,in,d\n'.repeat(5_001)}`;
    expect(() => readLog(`${most}one,two\n`)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ most: 5_000 }) }),
    );
    const long = `1,2026-01-01 08:00,in,${'d'.repeat(10_001)}\n`;
    expect(() => readLog(HEADER + long)).toThrow(expect.objectContaining({ code: UnreadableLog.code }));
  });
});
