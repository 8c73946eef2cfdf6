/** Calendar of an employee: their events and holidays, birthdays, and colleagues on leave. */
import { join, sql, type Sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type Page, pageOf } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import { requestedSpan } from '../../attendance/clocking/history.ts';
import type { Db } from '../../operations.ts';
import { currentEmployee } from '../../employment/employee-users/current-employee.ts';
import { type CalendarInput, KINDS } from './own-calendar.schema.ts';
import { EVENT_DAYS_MAX } from '../../notices/events/event.ts';
import { holidaysBetween } from './own-holidays.ts';

interface CalendarRequest {
  self: string;
  from: string;
  to: string;
  zone: string;
}

const INSTANT = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
const instant = (column: Sql): Sql => sql`to_char(${column} AT TIME ZONE 'UTC', ${INSTANT})`;

/** Statement for each kind of entry, with the day that entries are sorted by. */
const STATEMENTS: Record<Exclude<(typeof KINDS)[number], 'holiday'>, (request: CalendarRequest) => Sql> = {
  event: ({ self, from, to, zone }) => sql`
    SELECT (start AT TIME ZONE ${zone})::date AS day, 'event' AS kind, id, title, FALSE AS all_day, ${instant(sql`start`)} AS start,
      ${instant(sql`"end"`)} AS "end", location, NULL::jsonb AS person
    FROM events WHERE status IN ('published', 'expired') AND published_at IS NOT NULL
      AND audience && audience_of_employees(ARRAY[${self}::uuid])
      AND start >= (${from}::date - ${EVENT_DAYS_MAX}::int - 1)::timestamp AT TIME ZONE ${zone}
      AND start < (${to}::date + 1)::timestamp AT TIME ZONE ${zone} AND "end" > ${from}::date::timestamp AT TIME ZONE ${zone}`,
  birthday: ({ from, to }) => sql`
    SELECT day, 'birthday', employee_id, name, TRUE, day::text, day::text, NULL, jsonb_build_object('id', employee_id, 'name', name)
    FROM birthdays_between(${from}::date, ${to}::date)`,
  leave: ({ from, to }) => sql`
    SELECT "from", 'leave', id, name, TRUE, "from"::text, "to"::text, NULL, jsonb_build_object('id', employee_id, 'name', name)
    FROM leave_between(${from}::date, ${to}::date, NULL)`,
};

/** Returns an employee's holidays as rows of the same shape. */
async function holidaysIn(db: Db, { self, from, to }: CalendarRequest): Promise<Sql> {
  const rows = await holidaysBetween(db, self, from, to);
  return sql`
    SELECT first, 'holiday', id, name, TRUE, first::text, last::text, NULL, NULL::jsonb
    FROM jsonb_to_recordset(${JSON.stringify(rows.map(({ id, name, from: first, to: last }) => ({ id, name, first, last })))}::jsonb)
      AS holiday (id uuid, name text, first date, last date)`;
}

/** Returns a page of the caller's calendar, in order of days. @throws NotAnEmployee, RangeTooLong */
export async function ownCalendar(
  db: Db,
  caller: Caller,
  { kinds = [...KINDS], page, per_page, ...days }: CalendarInput,
): Promise<Page> {
  const { id: self } = await currentEmployee(db, caller);
  const request = { self, ...requestedSpan(days, today(caller.timezone)), zone: caller.timezone };
  const statements: Sql[] = [];
  for (const kind of KINDS) {
    if (!kinds.includes(kind)) continue;
    statements.push(kind === 'holiday' ? await holidaysIn(db, request) : STATEMENTS[kind](request));
  }
  // The first part defines the column names of the union.
  const parts = join(
    [
      sql`SELECT NULL::date AS day, '' AS kind, NULL::uuid AS id, '' AS title, FALSE AS all_day, '' AS start, '' AS "end", NULL::text AS location, NULL::jsonb AS person WHERE FALSE`,
      ...statements,
    ],
    ' UNION ALL ',
  );
  const rows = await db.rows<{ total: number }>(sql`
    SELECT kind, id, title, all_day, start, "end", location, person, (count(*) OVER ())::int AS total FROM (${parts}) AS entries
    ORDER BY day, kind, title, id LIMIT ${per_page} OFFSET ${(page - 1) * per_page}`);
  const total = rows[0]?.total ?? (page === 1 ? 0 : await countOf(db, parts));
  return pageOf(rows, { page, per_page }, total);
}

/** Counts all entries, for a page beyond the last one. */
async function countOf(db: Db, parts: Sql): Promise<number> {
  const [found] = await db.rows<{ total: number }>(sql`SELECT count(*)::int AS total FROM (${parts}) AS entries`);
  return found!.total;
}
