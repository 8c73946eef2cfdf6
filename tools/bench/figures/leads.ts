/** The cost of leads: their list and a new one, against the other programs. Compares few leads with a million. */
import { readJson } from '../fixture/ask.ts';
import type { Business } from '../fixture/business.ts';
import type { BenchFixture } from '../fixture/fixture.ts';
import { middle, seedLeads } from '../fixture/workspace.ts';
import type { FiredRequests } from '../load/load.ts';
import { cost, type Figure, alternate } from '../report/figure.ts';
import { gatewayUrl, type Request, sidesOf } from './sides.ts';
import { compare, repeatRequest } from './works.ts';

/** The size of a business: posted invoices and leads. */
const FEW = { posted: 10_000, leads: 10_000 };
const MANY = { posted: 1_000, leads: 1_000_000 };
const LIST = '?status=open&sort=-created_at&per_page=20';
/** The seed creates one lead with this address, regardless of their number. */
const SEARCH = '/api/leads?q=lead4711@example.com';
const LEAD = {
  name: 'Grace Hopper',
  email: 'grace@example.com',
  phone: '+1 212 555',
  company: 'Navy',
  expected_value: '1250.50',
};

const filledBusinesses = new Map<Business, Promise<void>>();

/** Returns a business with the given number of leads. */
async function businessWithLeads(fixture: BenchFixture, { posted, leads: count }: typeof FEW): Promise<Business> {
  const business = await fixture.business(posted);
  const fill = async () => {
    const headers = { authorization: await business.authorization(), 'content-type': 'application/json' };
    const url = `${gatewayUrl(fixture.suite)}/api/lead/create`;
    // The first lead also creates the copy of its owner that all others refer to.
    await readJson(url, { method: 'POST', headers, body: JSON.stringify(LEAD) });
    await seedLeads(String(fixture.suite.databases['crm']), business, count);
  };
  const filling = filledBusinesses.get(business) ?? fill();
  filledBusinesses.set(business, filling);
  await filling;
  return business;
}

/** Measures the first page of 10 000 leads, and creating a lead with its timeline, event and audit record. */
export async function leads(fixture: BenchFixture): Promise<Figure[]> {
  const sides = await sidesOf(fixture, await businessWithLeads(fixture, FEW));
  return [
    await compare(fixture, sides, {
      figure: 'lead-list',
      title: '`GET /api/leads` (20 of 10 000, filtered, sorted, with the total)',
      path: `/api/leads${LIST}`,
      bare: `/leads${LIST}`,
    }),
    await compare(fixture, sides, {
      figure: 'lead-create',
      title: '`POST /api/lead/create`',
      path: '/api/lead/create',
      bare: '/leads',
      body: LEAD,
    }),
  ];
}

/**
 * Returns requests to one workspace of the suite: the list at its beginning and in the middle, one lead, and a search
 * for that lead.
 */
async function requestsOf({ suite }: BenchFixture, business: Business) {
  const request = async (path: string): Promise<Request> => ({
    url: `${gatewayUrl(suite)}${path}`,
    headers: { authorization: await business.authorization() },
  });
  const first = await request(`/api/leads${LIST}`);
  const { data, meta } = (await readJson(first.url, first)) as unknown as {
    data: { id: string }[];
    meta: { next_cursor: string };
  };
  const search = await request(SEARCH);
  const { data: found } = (await readJson(search.url, search)) as unknown as { data: object[] };
  if (found.length !== 1) throw new Error(`The search found ${found.length} leads instead of one.`);
  const cursor = await middle(String(suite.databases['crm']), business, meta.next_cursor);
  return {
    first: () => request(`/api/leads${LIST}`),
    middle: () => request(`/api/leads${LIST}&cursor=${cursor}`),
    one: () => request(`/api/lead/show/${data.at(-1)?.id}`),
    byId: () => request(`/api/leads?id=${data.at(-1)?.id}`),
    search: () => request(SEARCH),
  };
}

/**
 * Compares a million leads with 10 000: the first page, a cursor in the middle, one lead, and a search that finds one.
 */
export async function leadScale(fixture: BenchFixture): Promise<Figure[]> {
  const many = await requestsOf(fixture, await businessWithLeads(fixture, MANY));
  const few = await requestsOf(fixture, await businessWithLeads(fixture, FEW));
  const sides = [many.first, few.first, many.middle, few.middle, many.one, few.one, many.search, many.byId];
  const [first = [], firstOfFew = [], deep = [], deepOfFew = [], one = [], oneOfFew = [], found = [], byId = []] =
    await alternate(
      sides.map((request) => repeatRequest(fixture.load, request)),
      { seconds: 3 },
    );
  const atScale = (
    name: string,
    title: string,
    measured: FiredRequests[],
    baseline: FiredRequests[],
    at_most: number,
  ): Figure => cost({ figure: `lead-scale-${name}`, title: `Cost of ${title}`, at_most }, measured, baseline);
  const AGAINST_FEW = 'at 1 000 000 leads, against 10 000';
  return [
    atScale('first', `\`GET /api/leads\`, first page, ${AGAINST_FEW}`, first, firstOfFew, 1.3),
    atScale('deep', `\`GET /api/leads\`, cursor in the middle, ${AGAINST_FEW}`, deep, deepOfFew, 1.3),
    atScale('show', `\`GET /api/lead/show/{id}\` ${AGAINST_FEW}`, one, oneOfFew, 1.3),
    atScale('cursor', 'a cursor in the middle of 1 000 000 leads, against the first page', deep, first, 2),
    atScale(
      'search',
      '`GET /api/leads?q=` that finds one of 1 000 000, against a list of one by its id',
      found,
      byId,
      2,
    ),
  ];
}
