/** The cost of trade in the suite: drafting, posting, listing and totals, against hand-written programs. */
import { deepStrictEqual } from 'node:assert/strict';
import { additions } from '../fixture/additions.ts';
import type { Settings } from '../by-hand/books.ts';
import type { Business } from '../fixture/business.ts';
import type { ChildProcess } from '../load/child-process.ts';
import { connected } from '../fixture/connect.ts';
import { median } from '../load/median.ts';
import { type Figure, inTurns, throughputRatio, roundsForReport } from '../report/figure.ts';
import { readJson, readList } from '../fixture/ask.ts';
import type { Fired } from '../load/load.ts';
import type { BenchFixture } from '../fixture/fixture.ts';
import { type Request, sidesOf } from './sides.ts';
import { CONNECTIONS, measure, repeating, type Side } from './works.ts';

const FEW = 1_000;
const SOME = 10_000;
const MANY = 100_000;
/** Shorter rounds than elsewhere, because each posting uses up a draft. */
const TURNS = { seconds: 2 };

const databases = ({ suite }: Pick<BenchFixture, 'suite'>) =>
  ['finance', 'inventory'].map((name) => String(suite.databases[name]));
/** Starts the hand-written program in the same workspace. */
export const byHand = (
  { suite, baseline }: BenchFixture,
  { workspace_id, user_id }: Business,
): Promise<ChildProcess> => {
  const [finance_url = '', inventory_url = ''] = databases({ suite });
  const settings: Settings = { finance_url, inventory_url, workspace_id, user_id };
  return baseline('../by-hand/trade.ts', settings);
};
const asCaller = ({ serviceToken: vouch }: BenchFixture, service: string, { caller }: Business) => ({
  authorization: vouch(service, caller),
});

/**
 * Measures drafting an invoice of ten lines: products, taxes and warehouse from inventory, amounts, lines, event,
 * audit.
 */
export async function invoiceCreate(fixture: BenchFixture): Promise<Figure[]> {
  const business = await fixture.business(FEW);
  const sides = await sidesOf(fixture, business, await byHand(fixture, business));
  const ours = () => sides.ours('/api/sales-invoice/create', business.invoice);
  const theirs = sides.byHand('/api/sales-invoice/create', business.invoice);
  const bare = sides.bare('/invoices', sides.bareStack.invoice);
  const ask = (request: Request) => readJson(request.url, request);
  const written = await additions(databases(fixture), async () => await ask(await ours()));
  deepStrictEqual(await additions(databases(fixture), () => ask(theirs)), written);
  await ask(bare);
  const { figures } = await measure({
    figure: 'invoice-create',
    title: '`POST /api/sales-invoice/create` with ten lines',
    ours: repeating(fixture.load, ours),
    bare: { side: repeating(fixture.load, () => bare), at_least: 0.4 },
    byHand: { side: repeating(fixture.load, () => theirs), at_least: 0.7 },
  });
  sides.stop();
  return figures;
}

/** The caller who posts drafts, and the source of the drafts. */
interface Posting {
  request(path: string): Request | Promise<Request>;
  /** Writes `count` drafts. Returns the paths that post them. */
  drafts(count: number): Promise<string[]>;
  connections?: number;
}

const pathsOf =
  ({ drafts }: Business) =>
  async (count: number): Promise<string[]> =>
    (await drafts(count)).map((id) => `/api/sales-invoice/post/${id}`);

/** Posts drafts for the length of a round, each one once. */
function posting({ load }: BenchFixture, { request, drafts, connections = CONNECTIONS }: Posting): Side {
  let waiting: string[] = [];
  // Upper estimate of posts per second on this side, from the previous rounds.
  let per_second = 400;
  return async (seconds) => {
    const needed = Math.ceil(seconds * per_second);
    if (waiting.length < needed) waiting.push(...(await drafts(2 * needed)));
    const paths = waiting.slice(0, needed);
    const fired = await load.fire({ ...(await request('')), method: 'POST', connections, paths }, seconds);
    waiting = waiting.slice(fired.used);
    per_second = Math.max(per_second, 3 * fired.per_second);
    return fired;
  };
}

/**
 * Measures posting: goods in the other database, number, open item, journal, events, audit. Uses sixteen connections,
 * then one.
 */
export async function invoicePost(fixture: BenchFixture): Promise<Figure[]> {
  const business = await fixture.business(FEW);
  const sides = await sidesOf(fixture, business, await byHand(fixture, business));
  const post = (request: Request) => readJson(request.url, { ...request, method: 'POST' });
  const [first = '', one = '', other = ''] = await pathsOf(business)(3);
  // The first invoice of a year starts a number series.
  await post(sides.byHand(first));
  const written = await additions(databases(fixture), async () => await post(await sides.ours(one)));
  deepStrictEqual(await additions(databases(fixture), () => post(sides.byHand(other))), written);
  const [simple = ''] = await sides.bareStack.drafts(1);
  await post(sides.bare(simple));
  const drafts = pathsOf(business);
  const found = await measure({
    figure: 'invoice-post',
    title: '`POST /api/sales-invoice/post` (ten lines; stock in another database)',
    ours: posting(fixture, { request: sides.ours, drafts }),
    bare: { side: posting(fixture, { request: sides.bare, drafts: sides.bareStack.drafts }), at_least: 0.4 },
    byHand: { side: posting(fixture, { request: sides.byHand, drafts }), at_least: 0.65 },
    further: [posting(fixture, { request: sides.ours, drafts, connections: 1 })],
  });
  sides.stop();
  const [alone = []] = found.further;
  return [
    ...found.figures,
    {
      figure: 'invoice-post-hot',
      title: 'Throughput of posting by 16 concurrent callers in one workspace, without errors, against one caller',
      value: throughputRatio(found.ours, alone),
      unit: '×',
      target: { at_least: 1.3 },
      ...roundsForReport(found.ours, alone),
    },
  ];
}

/** Measures the cost of posting with a hundred times as many posted invoices. */
export async function invoiceGrowth(fixture: BenchFixture): Promise<Figure[]> {
  const [few, many] = [await fixture.business(FEW), await fixture.business(MANY)];
  const [measured = [], baseline = []] = await inTurns(
    [many, few].map((business) => {
      const headers = () => asCaller(fixture, 'finance', business);
      const request = () => ({ url: fixture.service('finance'), headers: headers() });
      return posting(fixture, { request, drafts: pathsOf(business) });
    }),
    TURNS,
  );
  return [
    {
      figure: 'invoice-post-growth',
      title: 'Cost of posting at 100 000 posted invoices, against 1 000',
      value: throughputRatio(baseline, measured),
      unit: '×',
      target: { at_most: 1.2 },
      ...roundsForReport(measured, baseline),
    },
  ];
}

const SUMS = `
  SELECT account_id, sum(debit) AS debit, sum(credit) AS credit FROM journal_lines
  WHERE workspace_id = $1 AND date <= '2026-12-31' GROUP BY account_id`;

/** Compares the trial balance of a million lines with the SQL statement that sums them. */
export async function trialBalance(fixture: BenchFixture): Promise<Figure[]> {
  const business = await fixture.business(MANY);
  const [database_url = ''] = databases(fixture);
  const bare: Side = (seconds) =>
    connected(database_url, async (client) => {
      const times: number[] = [];
      const ends = performance.now() + seconds * 1_000;
      while (performance.now() < ends) {
        const began = performance.now();
        await client.query(SUMS, [business.workspace_id]);
        times.push(performance.now() - began);
      }
      const median_ms = median(times);
      return { median_ms, per_second: 1_000 / median_ms, used: 0 };
    });
  const url = `${fixture.service('finance')}/api/accounting/trial-balance?as_of=2026-12-31`;
  const ours: Side = (seconds) =>
    fixture.load.fire({ url, headers: asCaller(fixture, 'finance', business), connections: 1 }, seconds);
  const [measured = [], baseline = []] = await inTurns([ours, bare]);
  const times = (rounds: readonly Fired[]) => rounds.map(({ median_ms }) => Math.round(median_ms));
  return [
    {
      figure: 'trial-balance',
      title: `Cost of \`GET /api/accounting/trial-balance\` over 1 000 000 journal lines, against the bare SQL aggregate (${median(times(baseline))} ms)`,
      value: median(measured.map(({ median_ms }, round) => median_ms / baseline[round]!.median_ms)),
      unit: '×',
      target: { at_most: 1.5 },
      rounds: { measured: times(measured), baseline: times(baseline) },
    },
  ];
}

const LISTS = [
  { noun: 'invoice', service: 'finance', path: '/api/sales-invoice', query: 'status=posted', is_compared: true },
  // Customers have metrics of their own, compared with the other programs.
  { noun: 'customer', service: 'finance', path: '/api/customers', query: 'active=true', is_compared: false },
  { noun: 'product', service: 'inventory', path: '/api/products', query: 'active=true', is_compared: true },
] as const;

/** Measures the first page of 10 000 rows. Compares it with the handwritten program, and with 100 000 rows. */
async function listFigures(
  fixture: BenchFixture,
  { noun, service, path, query, is_compared }: (typeof LISTS)[number],
): Promise<Figure[]> {
  const [some, many] = [await fixture.business(SOME), await fixture.business(MANY)];
  const bare = await byHand(fixture, some);
  const asked = `${path}?${query}&sort=-created_at&per_page=20`;
  const ours = (business: Business) => () => ({
    url: `${fixture.service(service)}${asked}`,
    headers: asCaller(fixture, service, business),
  });
  const theirs = { url: `${bare.url}${asked}`, headers: {} };
  deepStrictEqual(await readList(theirs.url, theirs), await readList(ours(some)().url, ours(some)()));
  const requests = [ours(some), ours(many), ...(is_compared ? [() => theirs] : [])];
  const [measured = [], further = [], baseline] = await inTurns(
    requests.map((request) => repeating(fixture.load, request)),
    TURNS,
  );
  bare.stop();
  const scale: Figure = {
    figure: `${noun}-scale`,
    title: `Cost of \`GET ${path}\` at 100 000, first page, against 10 000`,
    value: throughputRatio(measured, further),
    unit: '×',
    target: { at_most: 1.3 },
    ...roundsForReport(further, measured),
  };
  if (!baseline) return [scale];
  return [
    {
      figure: `${noun}-list`,
      title: `Throughput of \`GET ${path}\` (20 of 10 000, sorted, filtered), against a hand-written express + pg handler`,
      value: throughputRatio(measured, baseline),
      unit: '×',
      target: { at_least: 0.4 },
      ...roundsForReport(measured, baseline),
    },
    scale,
  ];
}

export async function tradeLists(fixture: BenchFixture): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const list of LISTS) figures.push(...(await listFigures(fixture, list)));
  return figures;
}
