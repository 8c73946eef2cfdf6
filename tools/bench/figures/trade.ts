/** The cost of trade in the suite: drafting, posting, listing and totals. */
import type { Business } from '../fixture/business.ts';
import { withConnection } from '../fixture/connect.ts';
import { median } from '../load/median.ts';
import { cost, type Figure, alternate, throughput } from '../report/figure.ts';
import { readJson } from '../fixture/ask.ts';
import type { FiredRequests } from '../load/load.ts';
import type { BenchFixture } from '../fixture/fixture.ts';
import { type Request, sidesOf } from './sides.ts';
import { CONNECTIONS, compare, measure, repeatRequest, type Side } from './works.ts';

const FEW = 1_000;
const SOME = 10_000;
const MANY = 100_000;
/** Shorter rounds than elsewhere, because each posting uses up a draft. */
const TURNS = { seconds: 2 };

const withToken = ({ serviceToken: vouch }: BenchFixture, service: string, { caller }: Business) => ({
  authorization: vouch(service, caller),
});

/** Measures drafting an invoice of ten lines, with products, taxes and warehouse from inventory. */
export async function invoiceCreate(fixture: BenchFixture): Promise<Figure[]> {
  const business = await fixture.business(FEW);
  const sides = await sidesOf(fixture, business);
  return [
    await compare(fixture, sides, {
      figure: 'invoice-create',
      title: '`POST /api/sales-invoice/create` with ten lines',
      path: '/api/sales-invoice/create',
      bare: '/invoices',
      body: business.invoice,
      bareBody: sides.bareStack.invoice,
      at_least: 0.4,
    }),
  ];
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
  const sides = await sidesOf(fixture, business);
  const drafts = pathsOf(business);
  // The first invoice of a year starts a number series.
  for (const request of [
    await sides.ours(String(await drafts(1))),
    sides.bare(String(await sides.bareStack.drafts(1))),
  ])
    await readJson(request.url, { ...request, method: 'POST' });
  const found = await measure({
    figure: 'invoice-post',
    title: '`POST /api/sales-invoice/post` (ten lines; stock in another database)',
    ours: posting(fixture, { request: sides.ours, drafts }),
    bare: posting(fixture, { request: sides.bare, drafts: sides.bareStack.drafts }),
    at_least: 0.4,
    further: [posting(fixture, { request: sides.ours, drafts, connections: 1 })],
  });
  const [alone = []] = found.further;
  return [
    found.figure,
    throughput(
      {
        figure: 'invoice-post-hot',
        title: 'Throughput of posting by 16 concurrent callers in one workspace, without errors, against one caller',
        target: { at_least: 1.3 },
      },
      found.ours,
      alone,
    ),
  ];
}

/** Measures the cost of posting with a hundred times as many posted invoices. */
export async function invoiceGrowth(fixture: BenchFixture): Promise<Figure[]> {
  const [few, many] = [await fixture.business(FEW), await fixture.business(MANY)];
  const [measured = [], baseline = []] = await alternate(
    [many, few].map((business) => {
      const headers = () => withToken(fixture, 'finance', business);
      const request = () => ({ url: fixture.service('finance'), headers: headers() });
      return posting(fixture, { request, drafts: pathsOf(business) });
    }),
    TURNS,
  );
  return [
    cost(
      {
        figure: 'invoice-post-growth',
        title: 'Cost of posting at 100 000 posted invoices, against 1 000',
        at_most: 1.2,
      },
      measured,
      baseline,
    ),
  ];
}

const SUMS = `
  SELECT account_id, sum(debit) AS debit, sum(credit) AS credit FROM journal_lines
  WHERE workspace_id = $1 AND date <= '2026-12-31' GROUP BY account_id`;

/** Compares the trial balance of a million lines with the SQL statement that sums them. */
export async function trialBalance(fixture: BenchFixture): Promise<Figure[]> {
  const business = await fixture.business(MANY);
  const database_url = String(fixture.suite.databases['finance']);
  const bare: Side = (seconds) =>
    withConnection(database_url, async (client) => {
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
    fixture.load.fire({ url, headers: withToken(fixture, 'finance', business), connections: 1 }, seconds);
  const [measured = [], baseline = []] = await alternate([ours, bare]);
  const times = (rounds: readonly FiredRequests[]) => rounds.map(({ median_ms }) => Math.round(median_ms));
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

/** Compares the first page of 100 000 rows with 10 000. */
export async function tradeLists(fixture: BenchFixture): Promise<Figure[]> {
  const [some, many] = [await fixture.business(SOME), await fixture.business(MANY)];
  const figures: Figure[] = [];
  for (const { noun, service, path, query } of LISTS) {
    const url = `${fixture.service(service)}${path}?${query}&sort=-created_at&per_page=20`;
    const [few = [], lots = []] = await alternate(
      [some, many].map((business) =>
        repeatRequest(fixture.load, () => ({ url, headers: withToken(fixture, service, business) })),
      ),
      TURNS,
    );
    figures.push(
      cost(
        {
          figure: `${noun}-scale`,
          title: `Cost of \`GET ${path}\` at 100 000, first page, against 10 000`,
          at_most: 1.3,
        },
        lots,
        few,
      ),
    );
  }
  return figures;
}
