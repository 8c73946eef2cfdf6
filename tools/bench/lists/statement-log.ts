/** Measures the time and the rows that PostgreSQL needs for requests, from its log of plans. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type PlanNode, scansOf } from '@suite/testing/plans/explained';
import pg from 'pg';

/** The cost of a set of requests in PostgreSQL. */
export interface StatementCost {
  duration_ms: number;
  rows_read: number;
}

const END_PATIENCE_MS = 30_000;

/** The plan of the last statement of a transaction is logged at its end, which may come after the response. */
const LAST_PLAN_MS = 20;

/** PostgreSQL's processes read their settings when their next statement begins. */
const RELOAD_MS = 500;

/** The prefix of log entries, with the login of the connection. */
const LOG_LINE_PREFIX = '%m [%p] %u ';

/**
 * Log entries of requests. Services serve requests with separate logins, so that scheduled work and consumers are not
 * measured.
 */
const OF_REQUEST = /^\S+ \S+ \S+ \[\d+\] \w+_requests /;

const ENTRY = /duration: ([\d.]+) ms {2}plan:\s*(\{[\s\S]*)/;

/** Makes PostgreSQL log the login of the connection with each entry. */
export async function logLogins(admin: pg.Pool): Promise<void> {
  await admin.query(`ALTER SYSTEM SET log_line_prefix = ${pg.escapeLiteral(LOG_LINE_PREFIX)}`);
}

/**
 * Chooses whether PostgreSQL also logs the plans of the statements in functions. Only these plans count all rows that are read,
 * but writing them to the log costs more time than most of the statements.
 */
export async function logNestedPlans(admin: pg.Pool, enabled: boolean): Promise<void> {
  await admin.query(`ALTER SYSTEM SET auto_explain.log_nested_statements = ${enabled ? 'on' : 'off'}`);
  await admin.query('SELECT pg_reload_conf()');
  await pause(RELOAD_MS);
}

/** Returns the cost of request statements from log entries. */
function costOf(entries: readonly string[]): StatementCost {
  let [duration_ms, read] = [0, 0];
  for (const [at, entry] of entries.entries()) {
    const [, duration, text] = ENTRY.exec(entry) ?? [];
    if (!duration || !text || !OF_REQUEST.test(entry)) continue;
    // The time of a statement includes the statements of the functions that it calls. Their entries name the function.
    const isNested = entries[at + 1]?.includes(' CONTEXT:  ') ?? false;
    if (!isNested) duration_ms += Number(duration);
    const { Plan: plan } = JSON.parse(text.slice(0, text.lastIndexOf('}') + 1)) as { Plan: PlanNode };
    for (const { rows } of scansOf(plan)) read += rows;
  }
  return { duration_ms, rows_read: read };
}

function readFrom(file: string, start: number): string {
  const length = statSync(file).size - start;
  const buffer = Buffer.alloc(Math.max(length, 0));
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, buffer, 0, buffer.length, start);
  } finally {
    closeSync(descriptor);
  }
  return buffer.toString('utf8');
}

/**
 * Measures the statements of the requests that some work sends. The log is written a moment later, so a last statement marks its end.
 * @param admin connections whose statements are logged, too
 */
export async function measureStatements(
  log_file: string,
  admin: pg.Pool,
  work: () => Promise<unknown>,
): Promise<StatementCost> {
  const start = statSync(log_file).size;
  await work();
  await pause(LAST_PLAN_MS);
  const mark = `end of ${start}`;
  await admin.query(`SELECT ${pg.escapeLiteral(mark)} AS mark`);
  for (const since = performance.now(); ; await pause(5)) {
    const entries = readFrom(log_file, start).split(/^(?=\d{4}-\d\d-\d\d \d\d:)/m);
    const end = entries.findIndex((entry) => entry.includes(mark));
    if (end >= 0) return costOf(entries.slice(0, end));
    if (performance.now() - since > END_PATIENCE_MS)
      throw new Error('PostgreSQL does not log the plans of statements.');
  }
}
