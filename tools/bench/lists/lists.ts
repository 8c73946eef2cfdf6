/** `npm run bench -- --lists`: the cost of every list in PostgreSQL, for each page, search, sort and filter. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Suite, startSuite } from '@suite/local/suite';
import { machineryTables } from '@suite/migrations';
import { enableExplain } from '@suite/testing/plans/explained';
import { multiplyRecords } from '@suite/testing/plans/multiply';
import { smallTables, tinyTables } from '@suite/testing/plans/small-tables';
import { type SignedIn, signIn } from '@suite/testing/suite/http-caller';
import pg from 'pg';
import { LIMITS } from '../fixture/fixture.ts';
import { median } from '../load/median.ts';
import { exceptionOf } from './exceptions.ts';
import { type Cell, cellsOf, type FirstPage, firstPagesOf, readListOperations } from './list-operations.ts';
import { logLogins, logNestedPlans, measureStatements, type StatementCost } from './statement-log.ts';

interface Measured extends Cell, StatementCost {
  rows_returned: number;
  /** The rows of the whole list, up to the number to which lists count. */
  list_rows: number;
}

/** A request that costs more than this times the median of its kind fails the run. */
const TIMES_MEDIAN_MAX = 3;
/** Minimum rows of a list: fewer rows reveal no growth. */
const ROWS_MIN = 100;
/**
 * The first request on each connection plans its statements, and the ones after it may have to share the processor. A slow
 * request is repeated more often, so that only its own cost remains.
 */
const REPEATS = 5;
const SLOW_REPEATS = 25;
/**
 * Requests that take PostgreSQL less time are not slow.
 * Chosen: 2 ms, about the time of the gateway and the service for a page. The medians are 0.1 ms to 1 ms, near the time of
 * one look-up by an index, so three times a median would reject the count of a few thousand rows.
 */
const FAST_MS = 2;
/** Lists count their rows up to here. */
const COUNTED_MAX = 10_000;
const TOKEN_AGE_MAX_MS = 5 * 60_000;

/** Rows of small tables, such as settings. */
const SMALL_ROWS = 200;

/** Lists that read all records of a workspace, with the reason. Only their first page is measured, and not compared. */
const WHOLE: Readonly<Record<string, string>> = {
  'projectReports.list': 'the totals cover all projects',
  'leaveBalances.list': 'each leave type is combined with each employee',
  'timesheets.list': 'a week is the sum of its entries',
};

async function superuserOf({ data, databases }: Suite): Promise<(database: string) => string> {
  const password = (await readFile(join(data, 'postgres/password'), 'utf8')).trim();
  const url = new URL(String(databases['crm']));
  return (database) => Object.assign(new URL(url), { username: 'postgres', password, pathname: `/${database}` }).href;
}

const databaseOf = (url: string): string => new URL(url).pathname.slice(1);

/** The tables in which services store more than one row per workspace. */
const TABLES = `
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT LIKE '\\_%' AND relname <> ALL ($1)
    AND 2 = (SELECT count(*) FROM pg_attribute WHERE attrelid = pg_class.oid AND attname IN ('id', 'workspace_id'))
    AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = pg_class.oid AND indisunique AND indpred IS NULL
      AND indnatts = 1 AND pg_get_indexdef(indexrelid, 1, false) = 'workspace_id')
  ORDER BY relname`;

/** Postpones all schedules until long after the measurement, without a replica as the owner of their leases. */
const POSTPONE_SCHEDULES = `UPDATE turns SET due_at = now() + interval '1 day', taken_by = gen_random_uuid()`;

/** Opens connections as superuser to the database of each service. */
async function openAdmins(suite: Suite): Promise<pg.Pool[]> {
  const urlOf = await superuserOf(suite);
  return Object.values(suite.databases).map((url) => new pg.Pool({ connectionString: urlOf(databaseOf(url)) }));
}

/** Fills the demo workspace of a suite, makes PostgreSQL log its plans, and stops the suite. */
export async function fill(options: NonNullable<Parameters<typeof startSuite>[0]>, rows: number): Promise<void> {
  const suite = await startSuite(options);
  const admins = await openAdmins(suite);
  try {
    const { owner } = await ownerOf(suite);
    const plenty = {
      workspace: owner.user.workspace.id,
      rows: (table: string) => (smallTables.has(table) ? Math.min(rows, SMALL_ROWS) : rows),
      step: 1,
      loosens_partial_keys: true,
      small: smallTables,
      few: [],
      people: {},
      shared: [],
      rare: [],
    };
    // Scheduled work would process the copies, and cost more than the requests.
    await Promise.all(admins.map((admin) => admin.query(POSTPONE_SCHEDULES)));
    for (const admin of admins) {
      const { rows: tables } = await admin.query<{ name: string }>(TABLES, [[...machineryTables, ...tinyTables]]);
      await multiplyRecords(
        admin,
        tables.map(({ name }) => name),
        plenty,
      );
      await enableExplain(admin, 'log');
    }
    await logLogins(admins[0]!);
  } finally {
    await Promise.all(admins.map((admin) => admin.end()));
    await suite.stop();
  }
}

async function ownerOf({ url, demo }: Suite): Promise<{ owner: SignedIn; since: number }> {
  const owner = await signIn(url, String(demo?.logins[0]?.email), String(demo?.password));
  return { owner, since: performance.now() };
}

/** Finds the requests of the lists, and sends each of these once. Reports the lists and requests that fail. */
async function findCells(
  read: (url: string) => Promise<{ status: number; body: unknown }>,
  only: RegExp,
  say: (line: string) => void,
) {
  const found: Omit<Measured, keyof StatementCost>[] = [];
  for (const operation of readListOperations().filter(({ id }) => only.test(id))) {
    const { expanded, plain } = firstPagesOf(operation);
    let first = await read(expanded);
    if (first.status !== 200 && plain !== expanded) first = await read(plain);
    const page = first.body as FirstPage;
    if (first.status !== 200 || !Array.isArray(page.data)) {
      say(`${operation.id}: ${first.status}, not measured`);
      continue;
    }
    const list_rows = page.meta?.total ?? 0;
    if (list_rows < ROWS_MIN) continue;
    const cells = cellsOf(operation, page);
    for (const cell of operation.id in WHOLE ? cells.slice(0, 1) : cells) {
      const { status, body } = await read(cell.url);
      if (status === 200) found.push({ ...cell, list_rows, rows_returned: (body as FirstPage).data.length });
      else say(`${cell.list} ${cell.name}: ${status}, not measured`);
    }
  }
  return found;
}

/**
 * Measures one request after the other: first the rows that all of its statements read, and later its time without the log of
 * the statements in functions. The time is the shortest of several, because other programs on the machine add to it.
 * @param only the IDs of the lists
 */
export async function measureAll(suite: Suite, say: (line: string) => void, only = /./): Promise<Measured[]> {
  const admins = await openAdmins(suite);
  const [admin] = admins as [pg.Pool];
  const log_file = join(suite.data, 'logs/postgres.log');
  let session = await ownerOf(suite);
  const read = async (url: string) => {
    if (performance.now() - session.since > TOKEN_AGE_MAX_MS) session = await ownerOf(suite);
    return await session.owner.get(url);
  };
  const measure = (url: string) => measureStatements(log_file, admin, () => read(url));
  try {
    const cells = await findCells(read, only, say);
    await logNestedPlans(admin, true);
    const rows_read: number[] = [];
    for (const { url } of cells) {
      await read(url);
      rows_read.push((await measure(url)).rows_read);
    }
    await logNestedPlans(admin, false);
    const measured: Measured[] = [];
    for (const [at, cell] of cells.entries()) {
      let duration_ms = Infinity;
      for (let n = 0; n < (duration_ms > FAST_MS ? SLOW_REPEATS : REPEATS); n += 1)
        duration_ms = Math.min(duration_ms, (await measure(cell.url)).duration_ms);
      measured.push({ ...cell, duration_ms, rows_read: rows_read[at]! });
    }
    return measured;
  } finally {
    await Promise.all(admins.map((one) => one.end()));
  }
}

const kindOf = ({ name }: Cell): string => name.split(' ')[0]!;

/**
 * The requests that cost more than three times the median of the same kind, such as a deep page or a sort, or more than the bound
 * of an exception.
 * Chosen: the medians are taken from lists with many rows, because most lists of settings have a few hundred rows.
 */
export function slowOf(
  measured: readonly Measured[],
  rows: number,
): { slow: Measured[]; medians: Map<string, number> } {
  const full = Map.groupBy(
    measured.filter(({ list_rows }) => list_rows * 2 > Math.min(rows, COUNTED_MAX)),
    kindOf,
  );
  const medians = new Map([...full].map(([kind, cells]) => [kind, median(cells.map((cell) => cell.duration_ms))]));
  const slow = measured.filter((cell) => {
    const most = exceptionOf(cell) ?? Math.max(FAST_MS, TIMES_MEDIAN_MAX * (medians.get(kindOf(cell)) ?? 0));
    return cell.duration_ms > most && !(cell.list in WHOLE);
  });
  return { slow, medians };
}

interface ListsOptions {
  /** The rows of each table that grows. */
  rows: number;
  /** The IDs of the lists to measure. */
  only: RegExp;
  signal: AbortSignal;
  say: (line: string) => void;
}

/**
 * Fills every table of the demo workspace, measures every list, and prints a line for each request.
 * @returns whether no request costs more than three times the median of its kind, or more than the bound of its exception
 */
export async function measureLists({ rows, only, signal, say }: ListsOptions): Promise<boolean> {
  const data = await mkdtemp(join(tmpdir(), 'suite-lists-'));
  const options = { data, environment: { RATE_LIMITS: JSON.stringify(LIMITS) }, signal, say, fast: true };
  try {
    await fill({ ...options, port: 'free' }, rows);
    const suite = await startSuite({ ...options, port: 'free' });
    const measured = await measureAll(suite, say, only).finally(() => suite.stop());
    const { slow, medians } = slowOf(measured, rows);
    for (const one of measured.toSorted((a, b) => b.duration_ms - a.duration_ms)) {
      const { list, name, duration_ms, rows_read, rows_returned } = one;
      const per_row = Math.round(rows_read / Math.max(rows_returned, 1));
      const is_slow = slow.includes(one);
      process.stdout.write(
        `${JSON.stringify({ list, cell: name, duration_ms, rows_read, rows_returned, per_row, is_slow })}\n`,
      );
    }
    const shown = [...medians].map(([kind, ms]) => `${kind} ${ms.toFixed(2)} ms`).join(', ');
    say(
      `${measured.length} requests; medians: ${shown}; ${slow.length} requests above ${TIMES_MEDIAN_MAX} times these or above their exception`,
    );
    return slow.length === 0;
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}
