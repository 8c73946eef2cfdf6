/** The cost of customers: lists of 10 000 by page, by cursor and by a word, one by its ID, and a new one. */
import { deepStrictEqual } from 'node:assert/strict';
import { additions } from '../fixture/additions.ts';
import { readJson, readList } from '../fixture/ask.ts';
import type { BenchFixture } from '../fixture/fixture.ts';
import type { Fired } from '../load/load.ts';
import { median } from '../load/median.ts';
import type { Figure } from '../report/figure.ts';
import { type Request, type Sides, sidesOf } from './sides.ts';
import { byHand } from './trade.ts';
import { measure, repeating } from './works.ts';

const SOME = 10_000;
const LIST = '?active=true&sort=-created_at&per_page=20';
const MIDDLE = '&page=250';
const PAGES = [
  { figure: 'customer-list', part: '', words: '20 of 10 000, filtered, sorted, with the total', at_least: 0.85 },
  { figure: 'customer-page', part: '&page=496', words: 'page 496 of 10 000, with the total', at_least: 0.8 },
  { figure: 'customer-cursor', part: 'cursor', words: 'by a cursor in the middle of 10 000', at_least: 0.8 },
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

const ask = async (request: Request): Promise<void> => void (await readJson(request.url, request));
const latencies = (rounds: readonly Fired[]): number[] =>
  rounds.map(({ median_ms }) => Math.round(median_ms * 1000) / 1000);

/** Measures the first page, a deep one, and one after a cursor. Compares the latter two with the first. */
async function pages({ load }: BenchFixture, sides: Sides): Promise<Figure[]> {
  const figures: Figure[] = [];
  const first = await listAt(sides.ours, '/api/customers', '');
  const again = repeating(load, async () => ({ ...first, headers: (await sides.ours('')).headers }));
  for (const { figure, part, words, at_least } of PAGES) {
    const ours = await listAt(sides.ours, '/api/customers', part);
    const written = await listAt(sides.byHand, '/api/customers', part);
    const bare = await listAt(sides.bare, '/customers', part);
    deepStrictEqual(await readList(ours.url, ours), await readList(written.url, written));
    const title = `\`GET /api/customers\` (${words})`;
    const found = await measure({
      figure,
      title,
      ours: repeating(load, async () => ({ ...ours, headers: (await sides.ours('')).headers })),
      bare: { side: repeating(load, () => bare), at_least: 0.45 },
      byHand: { side: repeating(load, () => written), at_least },
      further: part ? [again] : [],
    });
    figures.push(...found.figures);
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

/**
 * Measures a word that a fifth of the names contain. The bare stack searches only names, and does not count the
 * results.
 */
async function search({ load }: BenchFixture, sides: Sides): Promise<Figure[]> {
  const ours = () => sides.ours(`/api/customers${LIST}&q=birch`);
  const bare = sides.bare(`/customers${LIST}&q=birch&count=none`);
  for (const request of [await ours(), bare]) {
    const { data } = await readJson(request.url, request);
    deepStrictEqual((data as unknown as object[]).length, 20);
  }
  const { figures } = await measure({
    figure: 'customer-search',
    title: '`GET /api/customers?q=` (a fifth of 10 000 matches)',
    ours: repeating(load, ours),
    bare: { side: repeating(load, () => bare), at_least: 0.3 },
  });
  return figures;
}

async function show({ load }: BenchFixture, sides: Sides): Promise<Figure[]> {
  const list = await listAt(sides.ours, '/api/customers', MIDDLE);
  const [{ id } = { id: '' }] = (await readJson(list.url, list)).data as unknown as { id: string }[];
  const path = `/api/v1/customers/${id}`;
  const ours = () => sides.ours(path);
  const [bare, written] = [sides.bare(sides.bareStack.customer), sides.byHand(path)];
  const mine = await ours();
  deepStrictEqual(await readJson(mine.url, mine), await readJson(written.url, written));
  await ask(bare);
  const { figures } = await measure({
    figure: 'customer-show',
    title: '`GET /api/v1/customers/{id}`',
    ours: repeating(load, ours),
    bare: { side: repeating(load, () => bare), at_least: 0.6 },
    byHand: { side: repeating(load, () => written), at_least: 0.85 },
  });
  return figures;
}

const CUSTOMER = { name: 'Grace Hopper', email: 'grace@example.com', phone: '+1 212 555', company: 'Navy' };

async function create({ load, suite }: BenchFixture, sides: Sides): Promise<Figure[]> {
  const ours = () => sides.ours('/api/customers/create', CUSTOMER);
  const [bare, byHand] = [sides.bare('/customers', CUSTOMER), sides.byHand('/api/customers/create', CUSTOMER)];
  const finance = [String(suite.databases['finance'])];
  const written = await additions(finance, async () => await ask(await ours()));
  deepStrictEqual(await additions(finance, () => ask(byHand)), written);
  await ask(bare);
  const { figures } = await measure({
    figure: 'customer-create',
    title: '`POST /api/customers/create`',
    ours: repeating(load, ours),
    bare: { side: repeating(load, () => bare), at_least: 0.45 },
    byHand: { side: repeating(load, () => byHand), at_least: 0.9 },
  });
  return figures;
}

export async function customers(fixture: BenchFixture): Promise<Figure[]> {
  const business = await fixture.business(SOME);
  const sides = await sidesOf(fixture, business, await byHand(fixture, business));
  const figures: Figure[] = [];
  for (const group of [pages, search, show, create]) figures.push(...(await group(fixture, sides)));
  sides.stop();
  return figures;
}
