import { beforeEach, describe, expect, test } from '@jest/globals';
import { freezeClock, runConcurrently } from '@suite/testing';
import fc from 'fast-check';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';

const { serving, company } = await openHr();
let acme: TestWorkspace;
let count = 0;
beforeEach(async () => {
  freezeClock('2026-06-14T08:00:00Z');
  acme = await company();
});

/** Creates an employee and a function to send their log. Each line is sent as its own file from its own device. */
async function createLogSender(shift_id?: string) {
  count += 1;
  const code = `EMP-${count}`;
  const id = await acme.employ({ code, ...(shift_id && { shift_id }) });
  const send = async (line: string, device = `gate-${line.replace(',', '-')}`) => {
    const [at, type = ''] = line.split(',');
    const form = new FormData();
    const text = `employee_code,at,type,device_id\n${code},2026-06-${at},${type},${device}\n`;
    form.set('file', new Blob([text], { type: 'text/csv' }), 'log.csv');
    const { status, body } = await acme.owner.upload('/api/attendance/import', form);
    return status === 200 ? body.data : body;
  };
  /** Sends all lines in one file. */
  const sendFile = async (lines: readonly string[]) => {
    const rows = lines.map((line) => {
      const [at, type = ''] = line.split(',');
      return `${code},2026-06-${at},${type},gate-${line.replace(',', '-')}`;
    });
    const form = new FormData();
    const text = ['employee_code,at,type,device_id', ...rows, ''].join('\n');
    form.set('file', new Blob([text], { type: 'text/csv' }), 'log.csv');
    return (await acme.owner.upload('/api/attendance/import', form)).body.data;
  };
  const days = () => serving.sql`
    SELECT local_date::text, state, status, first_in, last_out, worked_minutes, break_minutes, late_minutes, early_minutes,
      overtime_minutes, flags, window_start, window_end FROM attendances WHERE employee_id = ${id} ORDER BY local_date`;
  const storedPunches = () => serving.sql`
    SELECT attendances.local_date::text AS day, type FROM attendance_events JOIN attendances ON attendances.id = attendance_id
    WHERE attendance_events.employee_id = ${id} AND voided_at IS NULL ORDER BY at`;
  return { id, code, send, sendFile, days, punches: storedPunches };
}

/** Sends lines in the given order. @returns the resulting days and punches */
async function sendInOrder(lines: readonly string[], shift_id?: string) {
  const { send, days, punches: storedPunches } = await createLogSender(shift_id);
  const replies = [];
  for (const line of lines) replies.push(await send(line));
  expect(replies).toEqual(lines.map(() => ({ created: 1, skipped: 0, failed: [] })));
  return { days: await days(), punches: await storedPunches() };
}

const nightShift = async () => {
  const night = { name: 'Night', start: '22:00', end: '06:00', days: [1, 2, 3, 4, 5, 6, 7], timezone: 'Europe/Berlin' };
  return String((await acme.owner.post('/api/shift/create', night)).body.data.id);
};

describe('a punch that arrives late', () => {
  test('makes the later punch of the day an out', async () => {
    expect(await sendInOrder(['10 17:30', '10 09:00'])).toMatchObject({
      days: [
        { local_date: '2026-06-10', status: 'present', worked_minutes: 480, late_minutes: 0, flags: ['auto_break'] },
      ],
      punches: [{ type: 'in' }, { type: 'out' }],
    });
  });

  test('completes an out, a break or an in whose partner came first', async () => {
    const { send, days } = await createLogSender();
    await send('10 17:30,out');
    expect(await days()).toMatchObject([{ worked_minutes: 0, flags: ['missing_in'] }]);
    await send('10 13:00,in');
    await send('10 09:00,in');
    expect(await days()).toMatchObject([{ worked_minutes: 480, flags: ['missing_out', 'auto_break'] }]);
    await send('10 12:00,out');
    expect(await days()).toMatchObject([{ worked_minutes: 450, break_minutes: 0, flags: [] }]);
  });

  test('ends the session of the day before, if the punch after midnight came first', async () => {
    expect(await sendInOrder(['11 00:30', '10 09:00'])).toMatchObject({
      days: [{ local_date: '2026-06-10', worked_minutes: 900, flags: ['late_out', 'auto_break'] }],
      punches: [
        { day: '2026-06-10', type: 'in' },
        { day: '2026-06-10', type: 'out' },
      ],
    });
  });

  test('repeats a punch within a minute, before or after it', async () => {
    const { send, days } = await createLogSender();
    await send('10 09:00:30');
    expect([await send('10 09:00:00'), await send('10 09:01:00')]).toMatchObject([{ skipped: 1 }, { skipped: 1 }]);
    expect(await days()).toMatchObject([{ state: 'closed', flags: ['missing_out', 'auto_break'] }]);
  });

  test('is rejected on a day that was corrected or entered by hand', async () => {
    const { id, send, days } = await createLogSender();
    const entry = { employee_id: id, reason: 'Terminal offline' };
    const times = { first_in: '2026-06-10T09:00:00+02:00', last_out: '2026-06-10T17:30:00+02:00' };
    await acme.owner.post('/api/attendance/create', { ...entry, local_date: '2026-06-10', ...times });
    await acme.owner.post('/api/attendance/create', { ...entry, local_date: '2026-06-11', status: 'present' });
    const before = await days();
    for (const line of ['10 08:50', '10 12:00', '10 17:40', '11 09:00'])
      expect((await send(line)).failed).toEqual([{ line: 2, code: 'entered_by_hand' }]);
    expect(await days()).toEqual(before);
  });

  test('continues a day on which only the clock-in was entered manually', async () => {
    const { id, send, days } = await createLogSender();
    const entry = { employee_id: id, reason: 'Forgot the card', first_in: '2026-06-10T09:00:00+02:00' };
    await acme.owner.post('/api/attendance/create', { ...entry, local_date: '2026-06-10' });
    expect(await send('10 17:30')).toMatchObject({ created: 1 });
    expect(await days()).toMatchObject([{ worked_minutes: 480, flags: ['auto_break'] }]);
  });

  test('is rejected if it changes a day in a final payslip', async () => {
    const { id, send, days } = await createLogSender();
    await send('11 00:30');
    await acme.write(async (db) => {
      const period = { period_start: '2026-06-11T00:00:00Z', period_end: '2026-06-30T00:00:00Z' };
      const { id: payroll_id } = await db.payroll.create({
        data: { title: 'June', pay_date: '2026-06-30T00:00:00Z', currency: 'EUR', ...period },
      });
      await db.payrollEntry.create({ data: { payroll_id, employee_id: id, regular: true, status: 'paid', ...period } });
    });
    const before = await days();
    for (const line of ['11 09:00', '10 09:00'])
      expect((await send(line)).failed).toEqual([{ line: 2, code: 'payroll_closed' }]);
    expect(await days()).toEqual(before);
    expect(await send('09 09:00')).toMatchObject({ created: 1 });
  });
});

/** Days as their punches in order make them: entry and exit gates, toggles, nights, breaks and outs after midnight. */
const scenarios: [string, boolean, string[]][] = [
  ['toggles with lunch', false, ['10 09:00', '10 12:30', '10 13:00', '10 17:30']],
  ['gates for in and out', false, ['10 09:00,in', '10 12:30,out', '10 13:00,in', '10 17:30,out']],
  ['breaks', false, ['10 08:55,in', '10 12:00,break_start', '10 12:45,break_end', '10 17:30,out']],
  ['an out after midnight', false, ['10 09:00', '11 00:30', '11 09:10', '11 17:40']],
  ['a day outside of the shift', false, ['10 22:30', '11 02:30', '11 09:00', '11 17:30']],
  ['two nights', true, ['10 21:58', '11 06:03', '11 21:50', '12 02:00', '12 02:30', '12 06:10']],
  ['a forgotten out', false, ['10 09:00', '11 08:50', '11 17:30']],
  ['both types', false, ['10 09:00', '10 12:30,out', '10 13:00', '10 17:30', '11 09:00,in', '11 17:30']],
];

test.each(scenarios)('results in the same days in any order of arrival: %s', async (_, is_night, lines) => {
  const shift_id = is_night ? await nightShift() : undefined;
  const expected = await sendInOrder(lines, shift_id);
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(lines, { minLength: lines.length }), async (order) => {
      expect(await sendInOrder(order, shift_id)).toEqual(expected);
    }),
    { numRuns: 6, examples: [[lines.toReversed()]] },
  );
});

test.each(scenarios)('results in the same days in one file as line by line: %s', async (_, is_night, lines) => {
  const shift_id = is_night ? await nightShift() : undefined;
  const { id, sendFile, days, punches: storedPunches } = await createLogSender(shift_id);
  expect(await sendFile(lines.toReversed())).toEqual({ created: lines.length, skipped: 0, failed: [] });
  expect({ days: await days(), punches: await storedPunches() }).toEqual(await sendInOrder(lines, shift_id));
  const events = await serving.sql`
    SELECT count(*)::int AS count FROM journal_events AS event JOIN attendances ON attendances.id = event.aggregate_id
    WHERE event.type = 'hr.attendance.closed' AND attendances.employee_id = ${id} AND attendances.state = 'closed'`;
  expect(events).toEqual([{ count: (await days()).filter(({ state }) => state === 'closed').length }]);
  expect(await sendFile(lines)).toEqual({ created: 0, skipped: lines.length, failed: [] });
});

test('imports a file among stored punches as line by line', async () => {
  const [early, late] = [
    ['10 12:30', '11 00:30', '11 09:10', '12 09:00,in'],
    ['10 09:00', '10 13:00', '11 17:40', '12 12:00,break_start', '12 17:00,out', '14 09:00'],
  ];
  const { send, sendFile, days, punches: storedPunches } = await createLogSender();
  for (const line of early) await send(line);
  expect(await sendFile(late)).toMatchObject({ failed: [] });
  expect({ days: await days(), punches: await storedPunches() }).toEqual(await sendInOrder([...early, ...late]));
});

test('imports thousands of lines once, with each rejected line', async () => {
  const clerks = [await createLogSender(), await createLogSender()];
  const times = Array.from({ length: 12 }, (_, at) => `2026-06-${String(at + 1).padStart(2, '0')}`);
  const rows = times.flatMap((day) =>
    clerks.flatMap(({ code }) => [
      `${code},${day} 09:00:00,in,gate`,
      ...Array.from(
        { length: 100 },
        (_, at) => `${code},${day} 09:00:${String((at % 20) + 1).padStart(2, '0')},in,gate`,
      ),
      `${code},${day} 17:30:00,out,gate`,
    ]),
  );
  const form = () => {
    const text = ['employee_code,at,type,device_id', ...rows, 'NOBODY,2026-06-10 09:00,in,gate', ''].join('\n');
    const file = new FormData();
    file.set('file', new Blob([text], { type: 'text/csv' }), 'log.csv');
    return file;
  };
  const failed = [{ line: rows.length + 2, code: 'unknown_employee' }];
  const send = async () => (await acme.owner.upload('/api/attendance/import', form())).body.data;
  expect(await send()).toEqual({ created: 48, skipped: rows.length - 48, failed });
  expect(await send()).toEqual({ created: 0, skipped: rows.length, failed });
  for (const { days } of clerks)
    expect((await days()).map((day) => day['worked_minutes'])).toEqual(Array(12).fill(480));
});

test('adds concurrent punches of an employee to the same day', async () => {
  const lines = ['10 09:00', '10 12:30', '10 13:00', '10 17:30'];
  const { send, days } = await createLogSender();
  await runConcurrently(4, (at) => send(lines[at]!));
  expect(await days()).toEqual((await sendInOrder(lines)).days);
});

test('corrects earlier punches by an offline punch', async () => {
  const time = freezeClock('2026-06-10T15:30:00Z');
  const ada = acme.member({ can: [] });
  await acme.employ({ user_id: ada.caller.user_id });
  const punch = async (body: object) => await ada.post('/api/hrm/clock-in-out', body);
  expect((await punch({})).body.data.event).toMatchObject({ type: 'in' });
  time.goTo('2026-06-10T15:40:00Z');
  const late = await punch({ at: '2026-06-10T07:00:00Z' });
  expect(late).toMatchObject({
    status: 201,
    body: { data: { event: { type: 'in' }, attendance: { worked_minutes: 480, flags: ['auto_break'] } } },
  });
  expect(late.body.data.attendance.punches).toMatchObject([{ type: 'in' }, { type: 'out' }]);
  const typed = await punch({ at: '2026-06-10T11:00:00Z', type: 'in' });
  expect(typed.body.data.attendance).toMatchObject({ worked_minutes: 480, flags: ['missing_out', 'auto_break'] });
  expect((await punch({ at: '2026-06-10T10:00:00Z', type: 'out' })).body.data.attendance).toMatchObject({
    worked_minutes: 450,
    flags: [],
  });
});
