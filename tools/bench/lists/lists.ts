/** `npm run bench -- --lists`: the cost of every list in PostgreSQL, for each page, search, sort and filter. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Suite, startSuite } from '@suite/local/suite';
import { type SignedIn, signIn } from '@suite/testing/suite/http-caller';
import pg from 'pg';
import { LIMITS } from '../fixture/fixture.ts';
import { median } from '../load/median.ts';
import { type Cell, cellsOf, type FirstPage, readListOperations } from './list-operations.ts';
import { multiplyRows } from './multiply-rows.ts';
import { logPlans, measureStatements, type StatementCost } from './statement-log.ts';

interface Measured extends Cell, StatementCost {
  rows_returned: number;
}

/** A cell that costs more than so many times the median fails the run. */
const TIMES_MEDIAN_MAX = 3;
/** Lists with fewer rows say nothing about growth. */
const ROWS_MIN = 1_000;
/** The first request of a kind plans its statements. */
const REPEATS = 3;
const TOKEN_AGE_MAX_MS = 5 * 60_000;

async function superuserOf({ data, databases }: Suite): Promise<(database: string) => string> {
  const password = (await readFile(join(data, 'postgres/password'), 'utf8')).trim();
  const url = new URL(String(databases['crm']));
  return (database) => Object.assign(new URL(url), { username: 'postgres', password, pathname: `/${database}` }).href;
}

const databaseOf = (url: string): string => new URL(url).pathname.slice(1);

/** Fills the demo workspace of a suite, and stops the suite. */
async function fill(options: Parameters<typeof startSuite>[0], rows: number, say: (line: string) => void) {
  const suite = await startSuite(options);
  try {
    const { owner } = await ownerOf(suite);
    const urlOf = await superuserOf(suite);
    for (const [service, url] of Object.entries(suite.databases)) {
      const empty = await multiplyRows(urlOf(databaseOf(url)), owner.user.workspace.id, rows);
      say(`${service}: filled${empty.length > 0 ? `; without rows: ${empty.join(', ')}` : ''}`);
    }
    const admin = new pg.Client({ connectionString: urlOf('postgres') });
    await admin.connect();
    await logPlans(admin).finally(() => admin.end());
  } finally {
    await suite.stop();
  }
}

async function ownerOf({ url, demo }: Suite): Promise<{ owner: SignedIn; since: number }> {
  const owner = await signIn(url, String(demo?.logins[0]?.email), String(demo?.password));
  return { owner, since: performance.now() };
}

/** Measures one request after the other. @returns the cells with a result, and the answers of those without */
async function measureAll(suite: Suite, say: (line: string) => void): Promise<Measured[]> {
  const admin = new pg.Client({ connectionString: (await superuserOf(suite))('postgres') });
  await admin.connect();
  const log_file = join(suite.data, 'logs/postgres.log');
  let session = await ownerOf(suite);
  const read = async (url: string) => {
    if (performance.now() - session.since > TOKEN_AGE_MAX_MS) session = await ownerOf(suite);
    return await session.owner.get(url);
  };
  const measured: Measured[] = [];
  try {
    for (const operation of readListOperations()) {
      const first = await read(`${operation.path}?per_page=20`);
      const page = first.body as FirstPage;
      if (first.status !== 200 || !Array.isArray(page.data)) {
        say(`${operation.id}: ${first.status}, not measured`);
        continue;
      }
      if ((page.meta?.total ?? 0) < ROWS_MIN) continue;
      for (const cell of cellsOf(operation, page)) {
        const { status, body } = await read(cell.url);
        if (status !== 200) {
          say(`${cell.list} ${cell.name}: ${status}, not measured`);
          continue;
        }
        const costs: StatementCost[] = [];
        for (let n = 0; n < REPEATS; n += 1) costs.push(await measureStatements(log_file, admin, () => read(cell.url)));
        costs.sort((a, b) => a.duration_ms - b.duration_ms);
        measured.push({ ...cell, ...costs[1]!, rows_returned: (body as FirstPage).data.length });
      }
    }
    return measured;
  } finally {
    await admin.end();
  }
}

/**
 * Fills every table of the demo workspace, measures every list, and prints a line for each request.
 * @returns whether no request costs more than three times the median
 */
export async function measureLists(rows: number, signal: AbortSignal, say: (line: string) => void): Promise<boolean> {
  const data = await mkdtemp(join(tmpdir(), 'suite-lists-'));
  const options = { data, environment: { RATE_LIMITS: JSON.stringify(LIMITS) }, signal, say, fast: true };
  try {
    await fill({ ...options, port: 'free' }, rows, say);
    const suite = await startSuite({ ...options, port: 'free' });
    const measured = await measureAll(suite, say).finally(() => suite.stop());
    const middle = median(measured.map(({ duration_ms }) => duration_ms));
    const slow = measured.filter(({ duration_ms }) => duration_ms > TIMES_MEDIAN_MAX * middle);
    for (const { list, name, duration_ms, rows_read, rows_returned } of measured.toSorted(
      (a, b) => b.duration_ms - a.duration_ms,
    ))
      process.stdout.write(`${JSON.stringify({ list, cell: name, duration_ms, rows_read, rows_returned })}\n`);
    say(
      `${measured.length} requests, median ${middle.toFixed(2)} ms, ${slow.length} above ${TIMES_MEDIAN_MAX} times that`,
    );
    return slow.length === 0;
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}
