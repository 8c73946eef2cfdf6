import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { clock } from '@suite/chassis/runtime';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';
import { readHolidays } from './holiday-import.ts';

const { serving, company } = await openHr();
let acme: TestWorkspace;
beforeEach(async () => {
  acme = await company();
});

const file = (...events: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Example//EN',
    ...events.flatMap((event) => ['BEGIN:VEVENT', `UID:${randomUUID()}`, event, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

const readFile = (text: string) => readHolidays(randomUUID(), text);
const defaultCalendar = async (): Promise<string> => (await acme.owner.get('/api/holiday-calendars')).body.data[0].id;
const importFile = (id: string, text: string) => {
  const form = new FormData();
  form.set('file', new Blob([text], { type: 'text/calendar' }), 'holidays.ics');
  return acme.owner.upload(`/api/holiday-calendar/import/${id}`, form);
};

const whole = file(
  'SUMMARY:Whit Monday\r\nDTSTART;VALUE=DATE:20260525\r\nDTEND;VALUE=DATE:20260526',
  'SUMMARY:Between the years\r\nDTSTART;VALUE=DATE:20261228\r\nDTEND;VALUE=DATE:20270101',
  'SUMMARY:No end\r\nDTSTART;VALUE=DATE:20260601',
  'DTSTART;VALUE=DATE:20260602',
  'SUMMARY:Ten years\r\nDTSTART;VALUE=DATE:20260601\r\nDTEND;VALUE=DATE:20360601',
);

describe('an iCalendar file', () => {
  test('returns its holidays with their last days, and rejects other events', async () => {
    expect(await readFile(whole)).toEqual({
      holidays: [
        { name: 'Whit Monday', from: '2026-05-25', to: '2026-05-25' },
        { name: 'Between the years', from: '2026-12-28', to: '2026-12-31' },
        { name: 'No end', from: '2026-06-01', to: '2026-06-01' },
      ],
      failed: [
        { event: 4, code: 'unreadable_event' },
        { event: 5, code: 'unreadable_event' },
      ],
    });
  });

  test.each([
    ['an afternoon', 'DTSTART:20271224T120000Z\r\nDTEND:20271224T160000Z'],
    ['a day and an evening', 'DTSTART:20271224T000000Z\r\nDTEND:20271225T180000Z'],
    ['a time without a duration', 'DTSTART:20271224T000000Z'],
    ['the first hours of a day', 'DTSTART:20271224T000000Z\r\nDURATION:PT4H'],
    ['hours of a date', 'DTSTART;VALUE=DATE:20271224\r\nDURATION:PT4H'],
    ['a recurring afternoon', 'DTSTART:20271224T120000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=YEARLY'],
    ['midnights that recur within a day', 'DTSTART:20260101T000000Z\r\nDURATION:P1D\r\nRRULE:FREQ=HOURLY;COUNT=3'],
  ])('contains no holiday for an event of a part of a day: %s', async (_, times) => {
    expect(await readFile(file(`SUMMARY:Timed\r\n${times}`))).toEqual({
      holidays: [],
      failed: [{ event: 1, code: 'timed_event' }],
    });
  });

  test('contains a holiday for an event from midnight to midnight', async () => {
    const days = 'SUMMARY:Whole day\r\nDTSTART:20271226T000000Z\r\nDTEND:20271227T000000Z';
    expect((await readFile(file(days))).holidays).toEqual([
      { name: 'Whole day', from: '2027-12-26', to: '2027-12-26' },
    ]);
  });

  test('contains the recurring holidays of this year and the next two', async () => {
    const year = clock.now().getUTCFullYear();
    const recurring = await readFile(file('SUMMARY:New Year\r\nDTSTART;VALUE=DATE:20100101\r\nRRULE:FREQ=YEARLY'));
    expect(recurring.holidays.map(({ from }) => from)).toEqual([0, 1, 2].map((more) => `${year + more}-01-01`));
  });

  test('is imported once, regardless of repetitions', async () => {
    const id = await defaultCalendar();
    expect((await importFile(id, whole)).body.data).toMatchObject({
      created: 3,
      skipped: 0,
      failed: [{ event: 4 }, { event: 5 }],
    });
    expect((await importFile(id, whole)).body.data).toMatchObject({ created: 0, skipped: 3 });
    expect((await acme.owner.get('/api/holidays?year=2026')).body.data).toHaveLength(3);
    const events = await serving.sql`
      SELECT data FROM journal_events WHERE workspace_id = ${acme.workspace} AND type = 'hr.holiday_calendar.changed'`;
    expect(events).toEqual([{ data: { holiday_calendar_id: id, from: '2026-05-25', to: '2026-12-31' } }]);
  });

  test('is rejected in another format or for an unknown calendar', async () => {
    const id = await defaultCalendar();
    expect(await importFile(id, 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VCALENDAR')).toMatchObject({
      status: 422,
      body: { code: 'unreadable_calendar' },
    });
    expect(await importFile(id, 'plain words')).toMatchObject({ status: 415 });
    expect(await importFile(randomUUID(), whole)).toMatchObject({ status: 404 });
  });
});

const recurring = (rule: string, start = 'DTSTART;VALUE=DATE:20270301') =>
  file(`SUMMARY:Never\r\n${start}\r\nRRULE:${rule}`);

/** Files that are never completely parsed, or whose parsing time grows faster than their size. */
const UNPARSEABLE_FILES: [string, () => string][] = [
  ['a day that no month has', () => recurring('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30')],
  ['a day that no month has, each hour', () => recurring('FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=31')],
  ['a date that no year has', () => recurring('FREQ=DAILY;BYMONTH=4;BYMONTHDAY=31')],
];

/** Files that can be parsed, with or without holidays. */
const UNUSUAL_FILES: [string, () => string][] = [
  ['each second since 1970', () => recurring('FREQ=SECONDLY', 'DTSTART:19700101T000000Z')],
  ['a leap day that never comes', () => recurring('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30')],
  ['no interval', () => recurring('FREQ=DAILY;INTERVAL=0')],
  ['a negative interval', () => recurring('FREQ=DAILY;INTERVAL=-1')],
  ['a huge interval', () => recurring('FREQ=YEARLY;INTERVAL=999999999999')],
  ['a position without members', () => recurring('FREQ=DAILY;BYDAY=MO;BYSETPOS=9')],
  [
    'all hours, minutes and seconds',
    () => recurring(`FREQ=YEARLY;BYHOUR=${Array.from({ length: 24 }, (_, at) => at)}`),
  ],
  ['an unknown frequency', () => recurring('FREQ=NEVER')],
  ['an empty rule', () => recurring('')],
  ['a year beyond all years', () => file('SUMMARY:Far\r\nDTSTART;VALUE=DATE:99991231\r\nRRULE:FREQ=YEARLY')],
  ['a month that no year has', () => file('SUMMARY:Odd\r\nDTSTART;VALUE=DATE:20271399')],
  ['many lists of days', () => file('SUMMARY:Many', ...Array(50).fill('RDATE;VALUE=DATE:20270101,20270102'))],
  ['a folded name of a megabyte', () => file(`SUMMARY:${'x\r\n '.repeat(200_000)}\r\nDTSTART;VALUE=DATE:20270301`)],
  ['a zone that is a circle', () => file('SUMMARY:Zone\r\nDTSTART;TZID=/no/zone:20270301T000000')],
  ['nested components', () => `BEGIN:VCALENDAR\r\n${'BEGIN:VEVENT\r\n'.repeat(50_000)}END:VCALENDAR`],
  ['quotation marks', () => file(`SUMMARY;X="${'"'.repeat(200_000)}:x`)],
  ['parameters', () => file(`SUMMARY${';X=1'.repeat(100_000)}:x\r\nDTSTART;VALUE=DATE:20270301`)],
  ['one line of a megabyte', () => `BEGIN:VCALENDAR\r\n${'A'.repeat(1_000_000)}`],
  [
    'recurrences in each of its events',
    () => file(...Array(500).fill('SUMMARY:Often\r\nDTSTART:19700101T000000Z\r\nRRULE:FREQ=HOURLY')),
  ],
];

describe('a hostile iCalendar file', () => {
  test.each(UNPARSEABLE_FILES)('is rejected without blocking other requests if it has %s', async (_, text) => {
    const id = await defaultCalendar();
    const [rejected, other] = await Promise.all([importFile(id, text()), acme.owner.get('/api/holidays')]);
    expect(rejected).toMatchObject({
      status: 422,
      body: { code: 'unreadable_calendar', details: { reason: 'too_much_work' } },
    });
    expect(other.status).toBe(200);
    expect((await acme.owner.get('/api/holidays')).body.data).toEqual([]);
  });

  test.each(UNUSUAL_FILES)('is read or rejected with a named error if it has %s', async (_, text) => {
    const outcome = await readFile(text()).catch((error: { code: string }) => error.code);
    expect([expect.objectContaining({ failed: expect.anything() }), 'unreadable_calendar']).toContainEqual(outcome);
  });
});
