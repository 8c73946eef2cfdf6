import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { plainFields, readTodo, type TodoFields, writeTodo } from './todo-entry.ts';

const ZONE = 'Europe/Berlin';
const options = { updated_at: '2026-06-10T08:00:00.000Z', timezone: ZONE };
const PLAIN: TodoFields = {
  title: 'Paint',
  description: '',
  due_date: '2026-07-01',
  priority: 'medium',
  group: 'unstarted',
};
const file = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VTODO', 'UID:a', ...lines, 'END:VTODO', 'END:VCALENDAR', ''].join('\r\n');
const fieldsOf = async (...lines: string[]) => (await readTodo(file(...lines), ZONE))!.fields;
const text = fc.string({ unit: 'binary', maxLength: 60 }).filter((one) => one.isWellFormed());

describe('a task in a calendar', () => {
  test('returns the values as written, for any text', async () => {
    const fields = fc.record({
      title: text.filter((one) => plainFields({ title: one }).title !== ''),
      description: text,
      due_date: fc.constantFrom('', '2026-07-01', '2028-02-29'),
      priority: fc.constantFrom('low', 'medium', 'high', 'urgent'),
      group: fc.constantFrom('backlog', 'unstarted', 'started', 'completed', 'cancelled'),
    });
    await fc.assert(
      fc.asyncProperty(fields, fields, async (first, second) => {
        const written = await writeTodo('a', first, options);
        expect((await readTodo(written, ZONE))?.fields).toEqual(plainFields(first));
        const rewritten = await writeTodo('a', second, { ...options, before: written });
        expect((await readTodo(rewritten, ZONE))?.fields).toEqual(plainFields(second));
      }),
    );
  });

  test('is read as other programs write it', async () => {
    expect(await fieldsOf()).toEqual({
      title: '',
      description: '',
      due_date: '',
      priority: 'medium',
      group: 'unstarted',
    });
    expect((await fieldsOf('COMPLETED:20260610T080000Z')).group).toBe('completed');
    expect((await fieldsOf('STATUS:in-process', 'PERCENT-COMPLETE:100')).group).toBe('started');
    const priorities = [0, 1, 2, 3, 4, 5, 6, 7, 9].map((value) => fieldsOf(`PRIORITY:${value}`));
    expect((await Promise.all(priorities)).map(({ priority }) => priority)).toEqual([
      'medium',
      'urgent',
      'urgent',
      'high',
      'high',
      'medium',
      'medium',
      'low',
      'low',
    ]);
  });

  test("is due on the day in its user's time zone", async () => {
    expect((await fieldsOf('DUE:20260610T223000Z')).due_date).toBe('2026-06-11');
    expect((await fieldsOf('DUE;TZID=America/New_York:20260610T223000')).due_date).toBe('2026-06-10');
    expect((await fieldsOf('DUE:20260610T223000')).due_date).toBe('2026-06-10');
  });

  test('keeps its time of day and an equivalent priority when another field changes', async () => {
    const before = file('SUMMARY:Paint', 'PRIORITY:9', 'DUE;TZID=America/New_York:20260610T223000', 'RRULE:FREQ=DAILY');
    const rewritten_text = await writeTodo(
      'a',
      { ...PLAIN, title: 'Door', priority: 'low', due_date: '2026-06-12' },
      { ...options, before },
    );
    for (const line of ['SUMMARY:Door', 'PRIORITY:9', 'DUE;TZID=America/New_York:20260612T223000', 'RRULE:FREQ=DAILY'])
      expect(rewritten_text).toContain(`${line}\r\n`);
  });

  test('is due on the set day, even in UTC, near midnight or over a DST change', async () => {
    const days = fc.integer({ min: 0, max: 800 }).map((ahead) => new Date(Date.UTC(2026, 0, 1 + ahead)));
    const dayAt = (at: Date) => at.toISOString().slice(0, 10);
    await fc.assert(
      fc.asyncProperty(days, days, fc.nat(47), async (first, target, half) => {
        first.setUTCMinutes(half * 30);
        const before = file('SUMMARY:Paint', `DUE:${first.toISOString().replaceAll(/[-:]|\.000/g, '')}`);
        const set = await writeTodo('a', { ...PLAIN, due_date: dayAt(target) }, { ...options, before });
        expect((await readTodo(set, ZONE))?.fields.due_date).toBe(dayAt(target));
      }),
    );
  });

  test('is the first task of a series, and is undefined for invalid input', async () => {
    const series = `${file('SUMMARY:All').replace('END:VCALENDAR\r\n', '')}BEGIN:VTODO\r\nUID:a\r\nRECURRENCE-ID:20260611\r\nSUMMARY:One\r\nEND:VTODO\r\nEND:VCALENDAR\r\n`;
    expect((await readTodo(series, ZONE))?.fields.title).toBe('All');
    const endless = file(`SUMMARY${';X=":"\r\n ;Y=a'.repeat(100_000)}:t`);
    for (const nonsense of [
      endless,
      '',
      'x',
      file().replaceAll('VTODO', 'VEVENT'),
      'BEGIN:VCALENDAR',
      '\0',
      file('DUE:soon'),
    ])
      expect(await readTodo(nonsense, ZONE)).toBeUndefined();
  });
});
