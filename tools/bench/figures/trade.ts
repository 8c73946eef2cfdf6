/** What the machinery beneath trade costs: drafting, posting, listing and summing up, against the same by hand. */
import { deepStrictEqual } from 'node:assert/strict';
import { additions } from '../fixture/additions.ts';
import type { Settings } from '../by-hand/books.ts';
import type { Business } from '../fixture/business.ts';
import type { ChildProcess } from '../load/child-process.ts';
import { connected } from '../fixture/connect.ts';
import { type Figure, inTurns, median, rates, throughputRatio } from '../report/figure.ts';
import { readJson, readList } from './leads.ts';
import type { Fired, Shot } from '../load/load.ts';
import type { BenchFixture } from '../fixture/fixture.ts';

const CONNECTIONS = 16;
const FEW = 1_000;
const SOME = 10_000;
const MANY = 100_000;
/** Shorter rounds than elsewhere: each posting uses up a draft. */
const TURNS = { seconds: 2.5 };

const JSON_BODY = { 'content-type': 'application/json' };
type Side = (seconds: number) => Promise<Fired>;

const databases = ({ suite }: Pick<BenchFixture, 'suite'>) =>
  ['finance', 'inventory'].map((name) => String(suite.databases[name]));
/** The program by hand, in the same workspace. */
const byHand = ({ suite, baseline }: BenchFixture, { workspace_id, user_id }: Business): Promise<ChildProcess> => {
  const [finance_url = '', inventory_url = ''] = databases({ suite });
  const settings: Settings = { finance_url, inventory_url, workspace_id, user_id };
  return baseline('../by-hand/trade.ts', settings);
};
const asCaller = ({ serviceToken: vouch }: BenchFixture, service: string, { caller }: Business) => ({
  authorization: vouch(service, caller),
});

/** Drafting an invoice of ten lines: products, taxes and warehouse asked of inventory, figures, lines, event, audit. */
export async function invoiceCreate(fixture: BenchFixture): Promise<Figure[]> {
  const business = await fixture.business(FEW);
  const bare = await byHand(fixture, business);
  const shot = (url: string, headers: Record<string, string>): Omit<Shot, 'connections'> => ({
    url: `${url}/api/sales-invoice/create`,
    method: 'POST',
    body: JSON.stringify(business.invoice),
    headers: { ...JSON_BODY, ...headers },
  });
  const ours = () => shot(fixture.service('finance'), asCaller(fixture, 'finance', business));
  const theirs = shot(bare.url, {});
  const written = await additions(databases(fixture), () => readJson(ours().url, ours()));
  deepStrictEqual(await additions(databases(fixture), () => readJson(theirs.url, theirs)), written);
  const [measured = [], baseline = []] = await inTurns([
    (seconds) => fixture.load.fire({ ...ours(), connections: CONNECTIONS }, seconds),
    (seconds) => fixture.load.fire({ ...theirs, connections: CONNECTIONS }, seconds),
  ]);
  bare.stop();
  return [
    {
      figure: 'invoice-create',
      title:
        'Throughput of `POST /api/sales-invoice/create` with ten lines, against a hand-written express + pg program that writes the same rows',
      value: throughputRatio(measured, baseline),
      unit: '×',
      target: { at_least: 0.4 },
      rounds: { measured: rates(measured), baseline: rates(baseline) },
    },
  ];
}

/** Posts drafts of a business as long as a round takes, each once. */
async function posting(
  fixture: BenchFixture,
  business: Business,
  connections: number,
  at?: ChildProcess,
): Promise<Side> {
  let waiting: string[] = [];
  return async (seconds) => {
    // More than anybody posts in a round.
    const needed = Math.ceil(seconds * 400);
    if (waiting.length < needed) waiting.push(...(await business.drafts(4 * needed)));
    const headers = at ? {} : asCaller(fixture, 'finance', business);
    const url = at?.url ?? fixture.service('finance');
    const paths = waiting.slice(0, needed).map((id) => `/api/sales-invoice/post/${id}`);
    const fired = await fixture.load.fire({ url, method: 'POST', headers, connections, paths }, seconds);
    waiting = waiting.slice(fired.used);
    return fired;
  };
}

/** Posting: goods in the other database, number, open item, journal, events, audit; and the same by sixteen and by one. */
export async function invoicePost(fixture: BenchFixture): Promise<Figure[]> {
  const business = await fixture.business(FEW);
  const bare = await byHand(fixture, business);
  const [first = '', one = '', other = ''] = await business.drafts(3);
  const post = (url: string, headers: object, id: string) => () =>
    readJson(`${url}/api/sales-invoice/post/${id}`, { method: 'POST', headers: { ...headers } });
  // The first one of a year begins a series of numbers.
  await post(bare.url, {}, first)();
  const ours = post(fixture.service('finance'), asCaller(fixture, 'finance', business), one);
  const written = await additions(databases(fixture), ours);
  deepStrictEqual(await additions(databases(fixture), post(bare.url, {}, other)), written);
  const [measured = [], baseline = [], alone = []] = await inTurns(
    [
      await posting(fixture, business, CONNECTIONS),
      await posting(fixture, business, CONNECTIONS, bare),
      await posting(fixture, business, 1),
    ],
    TURNS,
  );
  bare.stop();
  return [
    {
      figure: 'invoice-post',
      title:
        'Throughput of `POST /api/sales-invoice/post` (ten lines; stock in the other database), against a hand-written express + pg program that writes the same rows',
      value: throughputRatio(measured, baseline),
      unit: '×',
      target: { at_least: 0.3 },
      rounds: { measured: rates(measured), baseline: rates(baseline) },
    },
    {
      figure: 'invoice-post-hot',
      title: 'Throughput of posting by 16 callers at once in one workspace, no error among them, against one caller',
      value: throughputRatio(measured, alone),
      unit: '×',
      target: { at_least: 1 },
      rounds: { measured: rates(measured), baseline: rates(alone) },
    },
  ];
}

/** What posting costs where a hundred times as much is posted already. */
export async function invoiceGrowth(fixture: BenchFixture): Promise<Figure[]> {
  const [few, many] = [await fixture.business(FEW), await fixture.business(MANY)];
  const [measured = [], baseline = []] = await inTurns(
    [await posting(fixture, many, CONNECTIONS), await posting(fixture, few, CONNECTIONS)],
    TURNS,
  );
  return [
    {
      figure: 'invoice-post-growth',
      title: 'Cost of posting at 100 000 posted invoices, against 1 000',
      value: throughputRatio(baseline, measured),
      unit: '×',
      target: { at_most: 1.2 },
      rounds: { measured: rates(measured), baseline: rates(baseline) },
    },
  ];
}

const SUMS = `
  SELECT account_id, sum(debit) AS debit, sum(credit) AS credit FROM journal_lines
  WHERE workspace_id = $1 AND date <= '2026-12-31' GROUP BY account_id`;

/** The trial balance of a million lines against the statement that sums them. */
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
  { noun: 'invoice', service: 'finance', path: '/api/sales-invoice', query: 'status=posted' },
  { noun: 'customer', service: 'finance', path: '/api/customers', query: 'active=true' },
  { noun: 'product', service: 'inventory', path: '/api/products', query: 'active=true' },
] as const;

/** The first page of 10 000, against the same by hand, and against that of 100 000. */
async function listFigures(
  fixture: BenchFixture,
  { noun, service, path, query }: (typeof LISTS)[number],
): Promise<Figure[]> {
  const [some, many] = [await fixture.business(SOME), await fixture.business(MANY)];
  const bare = await byHand(fixture, some);
  const asked = `${path}?${query}&sort=-created_at&per_page=20`;
  const ours = (business: Business) => ({
    url: `${fixture.service(service)}${asked}`,
    headers: asCaller(fixture, service, business),
  });
  const theirs = { url: `${bare.url}${asked}`, headers: {} };
  deepStrictEqual(await readList(theirs.url, theirs), await readList(ours(some).url, ours(some)));
  const [measured = [], baseline = [], further = []] = await inTurns(
    [
      (seconds) => fixture.load.fire({ ...ours(some), connections: CONNECTIONS }, seconds),
      (seconds) => fixture.load.fire({ ...theirs, connections: CONNECTIONS }, seconds),
      (seconds) => fixture.load.fire({ ...ours(many), connections: CONNECTIONS }, seconds),
    ],
    TURNS,
  );
  bare.stop();
  return [
    {
      figure: `${noun}-list`,
      title: `Throughput of \`GET ${path}\` (20 of 10 000, sorted, filtered), against a hand-written express + pg handler`,
      value: throughputRatio(measured, baseline),
      unit: '×',
      target: { at_least: 0.4 },
      rounds: { measured: rates(measured), baseline: rates(baseline) },
    },
    {
      figure: `${noun}-scale`,
      title: `Cost of \`GET ${path}\` at 100 000, first page, against 10 000`,
      value: throughputRatio(measured, further),
      unit: '×',
      target: { at_most: 1.5 },
      rounds: { measured: rates(further), baseline: rates(measured) },
    },
  ];
}

export async function tradeLists(fixture: BenchFixture): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const list of LISTS) figures.push(...(await listFigures(fixture, list)));
  return figures;
}
