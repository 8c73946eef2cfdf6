/** Export of time entries for spreadsheets, with protection against formula injection. */
import type { ServerResponse } from 'node:http';
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { ResponseWriter } from '@suite/chassis/operations';
import { sum } from '@suite/money';
import type { Db } from '../../operations.ts';
import { visibleToSession } from './time-entry.view.ts';

const ROWS_MAX = 10_000;

const COLUMNS = [
  'local_date',
  'user',
  'project',
  'task',
  'description',
  'started_at',
  'ended_at',
  'timezone',
  'duration_seconds',
  'rounded_seconds',
  'billable',
  'hourly_rate',
  'amount',
  'currency',
  'status',
] as const;

/**
 * First characters that start a formula in spreadsheets, including full-width ones. A leading apostrophe marks the cell
 * as text.
 */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/** Formats a field according to RFC 4180. */
function csvField(value: unknown): string {
  const text = value === null || value === undefined ? '' : value instanceof Date ? value.toISOString() : String(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /["\n\r,]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats amounts with the decimals of their currency, as in JSON. */
const amountsOf = ({ currency, hourly_rate, amount }: Record<string, unknown>) => ({
  hourly_rate: typeof hourly_rate === 'string' ? sum([hourly_rate], String(currency)) : null,
  amount: typeof amount === 'string' ? sum([amount], String(currency)) : null,
});

/** Filter of the exported time. */
interface ExportFilter {
  from: string;
  to: string;
  user_id?: string | undefined;
  project_id?: string | undefined;
}

/**
 * Reads the time of a span, limited to time visible to the caller, and returns the function that sends it. Users see
 * their own time in projects that they have left, but not the project names.
 * @throws a 422 for a span that ends before it begins, and for more time than a file holds
 */
export async function exportTime(
  db: Db,
  caller: Caller,
  { from, to, user_id, project_id }: ExportFilter,
): Promise<ResponseWriter> {
  if (to < from) throw invalid('to', 'The last day must not be before the first day.');
  const seesRates = caller.permissions.includes('time.view_all');
  const rows = await db.rows<Record<string, unknown>>(sql`
    SELECT local_date::text AS local_date, users.name AS user, projects.name AS project,
      projects.code || '-' || work_items.number || ' ' || work_items.title AS task, time_entries.description, started_at,
      ended_at, timezone, duration_seconds, rounded_seconds, time_entries.billable,
      CASE WHEN ${seesRates} OR time_entries.user_id = ${caller.user_id}::uuid THEN time_entries.hourly_rate END AS hourly_rate,
      CASE WHEN ${seesRates} OR time_entries.user_id = ${caller.user_id}::uuid THEN amount END AS amount,
      time_entries.currency, time_entries.status
    FROM time_entries LEFT JOIN users ON users.id = time_entries.user_id LEFT JOIN projects ON projects.id = time_entries.project_id
      LEFT JOIN work_items ON work_items.id = time_entries.task_id
    WHERE local_date BETWEEN ${from}::date AND ${to}::date
      AND (${user_id ?? null}::uuid IS NULL OR time_entries.user_id = ${user_id ?? null}::uuid)
      AND (${project_id ?? null}::uuid IS NULL OR time_entries.project_id = ${project_id ?? null}::uuid)
      AND ${visibleToSession(caller)}
    ORDER BY started_at, time_entries.id LIMIT ${ROWS_MAX + 1}`);
  if (rows.length > ROWS_MAX) throw invalid('to', 'This period has more than 10,000 entries. Choose a shorter period.');
  const written = rows.map((row) => ({ ...row, ...amountsOf(row) }));
  const lines = [
    COLUMNS.join(','),
    ...written.map((row: Record<string, unknown>) => COLUMNS.map((name) => csvField(row[name])).join(',')),
  ];
  return async (response: ServerResponse) => {
    response.setHeader('Content-Type', 'text/csv; charset=utf-8');
    response.setHeader('Content-Disposition', `attachment; filename="time-${from}-${to}.csv"`);
    response.end(`${lines.join('\r\n')}\r\n`);
    await Promise.resolve();
  };
}
