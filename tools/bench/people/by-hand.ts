/**
 * The baseline of people: clocking in and listing employees, written by hand with express and pg, for one workspace. It
 * has no identity, permissions, list grammar or schema. It writes the same rows.
 */
import { randomUUIDv7 } from 'node:crypto';
import { createServer } from 'node:http';
import express from 'express';
import type pg from 'pg';
import { lister, poolOf, RECORD, type Row, transaction, workspace_id } from '../by-hand/program.ts';
import { childSettings, listenForParent } from '../load/child-process.ts';

const { hr_url } = childSettings<{ hr_url: string }>();
const hr = poolOf(hr_url);

const EMPLOYEE = `record.id, record.code, record.user_id, record.name, record.email, record.phone, record.status, record.branch_id,
  record.department_id, record.designation_id, record.manager_id, record.shift_id, record.calendar_id, record.employment_type,
  record.joining_date, record.exit_date, record.probation_end, record.notice_days, record.external_id,
  CASE WHEN record.hide_birthday OR NOT settings.show_birthdays THEN NULL ELSE to_char(record.dob, 'MM-DD') END AS birthday, record.dob,
  record.gender, record.private_phone, record.address, record.emergency_contact, record.hide_birthday, ${RECORD}`;

const employees = lister(
  hr,
  'employees',
  `status = 'active'`,
  `SELECT ${EMPLOYEE} FROM chosen AS record JOIN settings ON settings.workspace_id = record.workspace_id`,
  (row: Row) => row,
);

const SELF = `SELECT id, shift_id, branch_id FROM employees WHERE workspace_id = $1 AND user_id = $2 AND status <> 'left' FOR NO KEY UPDATE`;

/**
 * Selects the allowed places for clocking in and the working hours of today. Selects if today is a working day and not
 * paid yet.
 */
const FACTS = `
  SELECT geofences, clock_addresses, clock_on_leave, terms, today::text AS today, terms ->> 'timezone' AS timezone,
    (today + (terms ->> 'start')::time) AT TIME ZONE (terms ->> 'timezone') AS shift_start,
    (today + (terms ->> 'end')::time) AT TIME ZONE (terms ->> 'timezone') AS shift_end,
    EXISTS (SELECT FROM employments WHERE workspace_id = $1 AND employee_id = $2 AND joining_date <= today
      AND (exit_date IS NULL OR exit_date >= today)) AS is_employed,
    EXISTS (SELECT FROM holidays JOIN holiday_calendars ON holiday_calendars.id = calendar_id AND is_default
      WHERE holidays.workspace_id = $1 AND today BETWEEN holidays.from AND holidays.to) AS is_holiday,
    EXISTS (SELECT FROM payroll_entries WHERE workspace_id = $1 AND employee_id = $2 AND status IN ('finalised', 'withheld', 'paid')
      AND today BETWEEN period_start AND period_end) AS is_paid
  FROM settings CROSS JOIN LATERAL (
    SELECT terms FROM shift_versions WHERE workspace_id = $1 AND shift_id = $3 AND effective_from <= now()::date
    ORDER BY effective_from DESC, seq DESC LIMIT 1) AS shift
    CROSS JOIN LATERAL (SELECT (now() AT TIME ZONE (terms ->> 'timezone'))::date AS today) AS days
  WHERE settings.workspace_id = $1`;

const LAST = `
  SELECT event.type, event.at, day.id, day.local_date, day.window_end FROM attendance_events AS event
    JOIN attendances AS day ON day.id = event.attendance_id
  WHERE event.workspace_id = $1 AND event.employee_id = $2 AND voided_at IS NULL ORDER BY event.at DESC, event.id DESC LIMIT 1`;

interface Terms {
  early_window_minutes: number;
  late_window_minutes: number;
  break_minutes: number;
  grace_late_minutes: number;
}

interface Facts {
  geofences: object[];
  clock_addresses: string[];
  terms: Terms;
  today: string;
  timezone: string;
  shift_start: Date;
  shift_end: Date;
  is_employed: boolean;
  is_paid: boolean;
}

const MINUTE_MS = 60_000;
const minutesFrom = (from: Date, until: Date): number => Math.floor((until.getTime() - from.getTime()) / MINUTE_MS);

/** Inserts the attendance day of an employee's first punch. */
async function beginDay(client: pg.PoolClient, employee_id: string, shift_id: string, facts: Facts, now: Date) {
  const { terms, shift_start, shift_end, today, timezone } = facts;
  const late = minutesFrom(shift_start, now);
  const { rows } = await client.query(
    `INSERT INTO attendances (id, workspace_id, employee_id, local_date, timezone, state, status, shift_id, shift_terms, shift_start,
       shift_end, window_start, window_end, first_in, expected_minutes, late_minutes)
     VALUES ($1, $2, $3, $4, $5, 'open', 'present', $6, $7, $8, $9, $10, $11, $12, $13, $14) RETURNING *`,
    [
      randomUUIDv7(),
      workspace_id,
      employee_id,
      today,
      timezone,
      shift_id,
      terms,
      shift_start,
      shift_end,
      new Date(shift_start.getTime() - terms.early_window_minutes * MINUTE_MS),
      new Date(shift_end.getTime() + terms.late_window_minutes * MINUTE_MS),
      now,
      minutesFrom(shift_start, shift_end) - terms.break_minutes,
      late > terms.grace_late_minutes ? late : 0,
    ],
  );
  return rows[0] as { id: string };
}

/** Records a user's first clock-in of a day. */
const clockIn = (user_id: string, ip: string) =>
  transaction(hr, 'clocking.tap', async (client) => {
    const { rows: found } = await client.query<{ id: string; shift_id: string }>(SELF, [workspace_id, user_id]);
    const [self] = found;
    if (!self) throw new Error('Only employees can clock in.');
    const { rows: told } = await client.query<Facts>(FACTS, [workspace_id, self.id, self.shift_id]);
    const facts = told[0]!;
    if (!facts.is_employed || facts.is_paid || facts.geofences.length + facts.clock_addresses.length > 0)
      throw new Error('Clocking in is not allowed here or today.');
    const { rows: before } = await client.query(LAST, [workspace_id, self.id]);
    if (before.length > 0) throw new Error('The employee has already clocked in.');
    const now = new Date();
    const attendance = await beginDay(client, self.id, self.shift_id, facts, now);
    const { rows: events } = await client.query(
      `INSERT INTO attendance_events (id, workspace_id, employee_id, attendance_id, type, at, timezone, source, ip)
       VALUES ($1, $2, $3, $4, 'in', $5, $6, 'web', $7) RETURNING *`,
      [randomUUIDv7(), workspace_id, self.id, attendance.id, now, facts.timezone, ip],
    );
    return { event: events[0], attendance: { ...attendance, punches: events }, duplicate: false, warnings: [] };
  });

const app = express().disable('etag').disable('x-powered-by').set('query parser', 'simple');

app.get('/api/employees', async (request, response) => {
  const { page = 1, per_page, sort } = request.query;
  if (sort !== '-created_at') return void response.status(422).json({ message: 'Sort by -created_at.' });
  response.json(await employees({ page: Number(page), per_page: Number(per_page) }));
});

app.post('/api/hrm/clock-in-out', express.json(), async (request, response) => {
  const data = await clockIn(String(request.headers['x-user']), String(request.socket.remoteAddress));
  response.status(201).json({ data });
});

listenForParent(createServer(app));
