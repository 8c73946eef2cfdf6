/**
 * `npm run bench`: measures speed and memory of the suite. Prints one JSON line per metric, with the processor time of its requests.
 * Afterwards it writes RESULTS.md and the ten rows of the README.
 * `--only <name>[,<name>…]` measures these groups only, and `--short` measures everything briefly. Both write no files.
 * `--no-results` writes no files. `--million` adds the metrics at a million rows.
 * `--lists` measures every list of the API instead, in tables of `--rows` rows. `--only` then names the lists.
 */
import { setMaxListeners } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Figure, isMet, measureShortly } from './report/figure.ts';
import { gatewayLatency, gatewayThroughput } from './figures/gateway.ts';
import { measureLists } from './lists/lists.ts';
import { login, loginSecrecy } from './figures/login.ts';
import { leads, leadScale } from './figures/leads.ts';
import { memory, memoryLoaded } from './figures/memory.ts';
import { describeMachine, highlights, resultsPage, writeHighlights } from './report/results.ts';
import { openBenchFixture, type BenchFixture } from './fixture/fixture.ts';
import { overload } from './figures/overload.ts';
import { restart } from './figures/restart.ts';
import { invoiceCreate, invoiceGrowth, invoicePost, tradeLists, trialBalance } from './figures/trade.ts';
import { customers } from './figures/customers.ts';
import { desk, deskScale } from './desk/figures.ts';
import { people, peopleScale } from './people/figures.ts';
import { workspaces } from './figures/workspaces.ts';

/** Metrics in order: memory before any request, and groups with many writes after everything that they would slow. */
const figures: Record<string, (fixture: BenchFixture) => Promise<Figure[]>> = {
  memory,
  'gateway-throughput': gatewayThroughput,
  'gateway-latency': gatewayLatency,
  'login-secrecy': loginSecrecy,
  login,
  overload,
  restart,
  'memory-loaded': memoryLoaded,
  leads,
  customers,
  workspaces,
  desk,
  people,
  'trade-lists': tradeLists,
  'trial-balance': trialBalance,
  'invoice-create': invoiceCreate,
  'invoice-post': invoicePost,
  'invoice-post-growth': invoiceGrowth,
  'lead-scale': leadScale,
  'desk-scale': deskScale,
  'people-scale': peopleScale,
};

/** Groups whose set-up takes minutes. They run only by name, or with `--million`. */
const LONG = ['lead-scale', 'desk-scale', 'people-scale'];

const AT_MOST_MS = 40 * 60_000;
const WITH_LONG_AT_MOST_MS = 70 * 60_000;
const README = fileURLToPath(new URL('../../README.md', import.meta.url));
const RESULTS = fileURLToPath(new URL('RESULTS.md', import.meta.url));

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    'no-results': { type: 'boolean', default: false },
    million: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    lists: { type: 'boolean', default: false },
    rows: { type: 'string', default: '10000' },
  },
});
if (!/^[1-9]\d{2,6}$/.test(options.rows)) {
  process.stderr.write(`--rows must be a number from 100 to 9999999, not "${options.rows}".\n`);
  process.exit(2);
}
if (options.short) measureShortly();
const only = options.only?.split(',');
const isLong = options.million || options.lists || Boolean(only?.some((name) => LONG.includes(name)));
const unknown = options.lists ? undefined : only?.find((name) => !(name in figures));
if (unknown !== undefined) {
  process.stderr.write(`Metric "${unknown}" not found. Choose from: ${Object.keys(figures).join(', ')}.\n`);
  process.exit(2);
}

const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const printLine = (line: string) => process.stderr.write(`${line}\n`);
const rounded = (value: number) => Math.round(value * 1000) / 1000;

const interrupt = new AbortController();
setMaxListeners(0, interrupt.signal);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => interrupt.abort(new Error('Interrupted.')));
setTimeout(
  () => interrupt.abort(new Error('The bench timed out.')),
  isLong ? WITH_LONG_AT_MOST_MS : AT_MOST_MS,
).unref();
const interrupted = new Promise<never>((_, reject) => {
  interrupt.signal.addEventListener('abort', () => reject(interrupt.signal.reason));
});
// Prevents an unhandled rejection while the suite starts, because the start handles the signal on its own.
interrupted.catch(() => undefined);

async function measure(fixture: BenchFixture): Promise<void> {
  const machine = await describeMachine(String(fixture.suite.databases['crm']));
  print({ machine });
  const found: Figure[] = [];
  const failed: string[] = [];
  for (const [name, run] of Object.entries(figures)) {
    if (only ? !only.includes(name) : LONG.includes(name) && !options.million) continue;
    // A failed metric does not discard the others, which took long.
    const measured = await run(fixture).catch((error: unknown) => {
      failed.push(name);
      printLine(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    });
    found.push(...measured);
    for (const figure of measured) print({ ...figure, value: rounded(figure.value), met: isMet(figure) });
  }
  if (failed.length > 0) throw new Error(`Not measured: ${failed.join(', ')}.`);
  if (only || options.short || options['no-results']) return;
  await writeFile(RESULTS, resultsPage(found, machine));
  await writeHighlights(README, highlights(found));
}

async function measureFigures(): Promise<void> {
  const fixture = await openBenchFixture(interrupt.signal, printLine);
  try {
    await Promise.race([measure(fixture), interrupted]);
  } finally {
    await fixture.stop();
  }
}

async function listsAreFast(): Promise<boolean> {
  const ids = options.only?.split(',').map((id) => RegExp.escape(id));
  const only = new RegExp(ids ? `^(?:${ids.join('|')})$` : '');
  return await Promise.race([
    measureLists({ rows: Number(options.rows), only, signal: interrupt.signal, say: printLine }),
    interrupted,
  ]);
}

try {
  if (!options.lists) await measureFigures();
  else if (!(await listsAreFast())) process.exitCode = 1;
} catch (error) {
  printLine(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
process.exit();
