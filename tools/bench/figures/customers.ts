/** The cost of customers: lists of 10 000 by page, by cursor and by a word, one by its ID, and a new one. */
import { readJson } from '../fixture/ask.ts';
import type { BenchFixture } from '../fixture/fixture.ts';
import type { FiredRequests } from '../load/load.ts';
import { median } from '../load/median.ts';
import type { Figure } from '../report/figure.ts';
import { type Request, type Sides, sidesOf } from './sides.ts';
import { compare, measure, repeatRequest } from './works.ts';

const SOME = 10_000;
const LIST = '?active=true&sort=-created_at&per_page=20';
const MIDDLE = '&page=250';
const PAGES = [
  { figure: 'customer-list', part: '', words: '20 of 10 000, filtered, sorted, with the total' },
  { figure: 'customer-page', part: '&page=496', words: 'page 496 of 10 000, with the total' },
  { figure: 'customer-cursor', part: 'cursor', words: 'by a cursor in the middle of 10 000' },
] as const;

/**
 * Returns the request for a part of the list. @param part a page parameter, or `cursor` for the page behind the middle
 * one, by the program's own cursor
 */
async function listAt(request: (path: string) => Request | Promise<Request>, path: string, part: string) {
  if (part !== 'cursor') return await request(`${path}${LIST}${part}`);
  const before = await request(`${path}${LIST}${MIDDLE}`);
  const { meta } = (await readJson(before.url, before)) as { meta?: { next_cursor?: string } };
  return await request(`${path}${LIST}&cursor=${encodeURIComponent(String(meta?.next_cursor))}`);
}

const latencies = (rounds: readonly FiredRequests[]): number[] =>
  rounds.map(({ median_ms }) => Math.round(median_ms * 1000) / 1000);

/** Measures the first page, a deep one, and one after a cursor. Compares the latter two with the first. */
async function pages({ load }: BenchFixture, sides: Sides): Promise<Figure[]> {
  const figures: Figure[] = [];
  const first = await listAt(sides.ours, '/api/customers', '');
  const again = repeatRequest(load, async () => ({ ...first, headers: (await sides.ours('')).headers }));
  for (const { figure, part, words } of PAGES) {
    const ours = await listAt(sides.ours, '/api/customers', part);
    const bare = await listAt(sides.bare, '/customers', part);
    const title = `\`GET /api/customers\` (${words})`;
    const found = await measure({
      figure,
      title,
      ours: repeatRequest(load, async () => ({ ...ours, headers: (await sides.ours('')).headers })),
      bare: repeatRequest(load, () => bare),
      at_least: 0.45,
      further: part ? [again] : [],
    });
    figures.push(found.figure);
    const [took, atFirst] = [latencies(found.ours), latencies(found.further[0] ?? [])];
    if (part)
      figures.push({
        figure: `${figure}-latency`,
        title: `Median latency of ${title}, against the first page`,
        value: median(took) / median(atFirst),
        unit: '×',
        target: { at_most: 2 },
        rounds: { measured: took, baseline: atFirst },
      });
  }
  return figures;
}

const CUSTOMER = { name: 'Grace Hopper', email: 'grace@example.com', phone: '+1 212 555', company: 'Navy' };

export async function customers(fixture: BenchFixture): Promise<Figure[]> {
  const sides = await sidesOf(fixture, await fixture.business(SOME));
  const list = await listAt(sides.ours, '/api/customers', MIDDLE);
  const [{ id } = { id: '' }] = (await readJson(list.url, list)).data as unknown as { id: string }[];
  return [
    ...(await pages(fixture, sides)),
    // The bare stack searches only names, and does not count the results.
    await compare(fixture, sides, {
      figure: 'customer-search',
      title: '`GET /api/customers?q=` (a fifth of 10 000 matches)',
      path: `/api/customers${LIST}&q=birch`,
      bare: `/customers${LIST}&q=birch&count=none`,
      at_least: 0.3,
    }),
    await compare(fixture, sides, {
      figure: 'customer-show',
      title: '`GET /api/v1/customers/{id}`',
      path: `/api/v1/customers/${id}`,
      bare: sides.bareStack.customer,
      at_least: 0.6,
    }),
    await compare(fixture, sides, {
      figure: 'customer-create',
      title: '`POST /api/customers/create`',
      path: '/api/customers/create',
      bare: '/customers',
      body: CUSTOMER,
    }),
  ];
}
