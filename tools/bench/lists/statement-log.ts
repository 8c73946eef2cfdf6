/** The time that PostgreSQL takes for requests and the rows that it reads for them, from the log of auto_explain. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** The cost of some requests in PostgreSQL. */
export interface StatementCost {
  duration_ms: number;
  rows_read: number;
}

interface PlanNode {
  'Node Type': string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

const SETTINGS = {
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
};
const END_PATIENCE_MS = 30_000;

/** Lets PostgreSQL log the plan of every statement on connections that are opened from now on. */
export async function logPlans(admin: pg.Client): Promise<void> {
  await admin.query(`LOAD 'auto_explain'`);
  for (const [setting, value] of Object.entries(SETTINGS)) await admin.query(`ALTER SYSTEM SET ${setting} = ${value}`);
  await admin.query(`ALTER SYSTEM SET session_preload_libraries = 'auto_explain'`);
  await admin.query('SELECT pg_reload_conf()');
}

/** The rows that the scans of a plan read. */
function rowsRead(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((sum, plan) => sum + rowsRead(plan), 0);
  if (!node['Node Type'].includes('Scan') || node['Node Type'] === 'Bitmap Index Scan') return below;
  const each =
    (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return below + each * (node['Actual Loops'] ?? 1);
}

const ENTRY = /duration: ([\d.]+) ms {2}plan:\s*(\{[\s\S]*)/;

/** The cost of the statements in a part of the log. */
export function costOf(log: string): StatementCost {
  let [duration_ms, read] = [0, 0];
  for (const entry of log.split(/^(?=\d{4}-\d\d-\d\d \d\d:)/m)) {
    const [, duration, text] = ENTRY.exec(entry) ?? [];
    if (!duration || !text) continue;
    duration_ms += Number(duration);
    const { Plan: plan } = JSON.parse(text.slice(0, text.lastIndexOf('}') + 1)) as { Plan: PlanNode };
    read += rowsRead(plan);
  }
  return { duration_ms, rows_read: Math.round(read) };
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

/** Measures the statements that some work causes. The log is written a moment later, so a last statement marks its end. */
export async function measureStatements(
  log_file: string,
  admin: pg.Client,
  work: () => Promise<unknown>,
): Promise<StatementCost> {
  const start = statSync(log_file).size;
  await work();
  const mark = `end of ${start}`;
  await admin.query(`SELECT ${pg.escapeLiteral(mark)} AS mark`);
  for (const since = performance.now(); ; await pause(5)) {
    const log = readFrom(log_file, start);
    const end = log.indexOf(mark);
    if (end >= 0) return costOf(log.slice(0, log.lastIndexOf('\n', end)));
    if (performance.now() - since > END_PATIENCE_MS)
      throw new Error('PostgreSQL does not log the plans of statements.');
  }
}
