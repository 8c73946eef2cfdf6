/** The cost of hr operations: clocking in, and the list of employees. */
import { deepStrictEqual } from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '@suite/chassis/gateway';
import { gatewayUrl, sidesOf } from '../figures/sides.ts';
import { CONNECTIONS, repeating, type Side } from '../figures/works.ts';
import { additions } from '../fixture/additions.ts';
import { readJson, readList } from '../fixture/ask.ts';
import type { Business } from '../fixture/business.ts';
import type { BenchFixture } from '../fixture/fixture.ts';
import { type Figure, inTurns, throughputRatio, roundsForReport } from '../report/figure.ts';
import { type Colleague, forgetTaps, openPeople } from './records.ts';

const POSTED = 10_000;
const PEOPLE = 10_000;
const MANY = { posted: 1_000, people: 1_000_000 };
const LIST = '/api/employees?sort=-created_at&per_page=20&status=active';
const TAP = '/api/hrm/clock-in-out';
const DRAIN_MS = 1_000;

/** Compares the throughput of the suite with the same work by hand. */
async function compared(
  figure: string,
  title: string,
  [ours, written]: [Side, Side],
  at_least: number,
): Promise<Figure> {
  const [measured = [], baseline = []] = await inTurns([ours, written], { seconds: 2, warm_up_s: 1.5 });
  return {
    figure,
    title: `Throughput of ${title}, against the same rows by hand (express + pg)`,
    value: throughputRatio(measured, baseline),
    unit: '×',
    target: { at_least },
    ...roundsForReport(measured, baseline),
  };
}

/** Measures the first punch of a day, one employee after the other. Each round begins without punches. */
async function clockIn(fixture: BenchFixture, business: Business, people: readonly Colleague[], by_hand: string) {
  const { load, service, serviceToken, suite } = fixture;
  const caller = (user_id: string): Caller => ({ ...business.caller, user_id });
  const request = { method: 'POST' as const, headers: { 'content-type': 'application/json' }, body: '{}' };
  const ours = (user_id: string) => ({ authorization: serviceToken('hr', caller(user_id)) });
  const written = (user_id: string) => ({ 'x-user': user_id });
  const side =
    (url: string, headersOf: (user_id: string) => Record<string, string>): Side =>
    async (seconds) => {
      await forgetTaps(suite, business);
      const turns = people.map(({ user_id }) => ({ headers: { ...request.headers, ...headersOf(user_id) } }));
      const fired = await load.fire({ ...request, url, turns, connections: CONNECTIONS }, seconds);
      // The last punches are still processed after the round. Without this pause, they would be in the next round.
      await pause(DRAIN_MS);
      if (fired.used > people.length) throw new Error(`${people.length} people are too few.`);
      return fired;
    };
  const [our_url, their_url] = [`${service('hr')}${TAP}`, `${by_hand}${TAP}`];
  const [one, other] = [String(people[0]?.user_id), String(people[1]?.user_id)];
  await forgetTaps(suite, business);
  const hr = [String(suite.databases['hr'])];
  const tap = (url: string, headers: Record<string, string>) => () =>
    readJson(url, { ...request, headers: { ...request.headers, ...headers } });
  deepStrictEqual(await additions(hr, tap(our_url, ours(one))), await additions(hr, tap(their_url, written(other))));
  const title = '`POST /api/hrm/clock-in-out` (the first tap of a day, each of another person)';
  return await compared('clock-in', title, [side(our_url, ours), side(their_url, written)], 0.8);
}

export async function people(fixture: BenchFixture): Promise<Figure[]> {
  const business = await fixture.business(POSTED);
  const colleagues = await openPeople(fixture.suite, business, PEOPLE);
  const { workspace_id, user_id } = business;
  const program = await fixture.baseline('../people/by-hand.ts', {
    hr_url: fixture.suite.databases['hr'],
    workspace_id,
    user_id,
  });
  const sides = await sidesOf(fixture, business, program);
  const [mine, theirs] = [await sides.ours(LIST), sides.byHand(LIST)];
  deepStrictEqual(await readList(mine.url, mine), await readList(theirs.url, theirs));
  const lists = [
    repeating(fixture.load, () => sides.ours(LIST)),
    repeating(fixture.load, () => sides.byHand(LIST)),
  ] as [Side, Side];
  const figures = [
    await compared(
      'employee-list',
      '`GET /api/employees` (20 of 10 000, filtered, sorted, with the total)',
      lists,
      0.8,
    ),
    await clockIn(fixture, business, colleagues, program.url),
  ];
  sides.stop();
  return figures;
}

/** Compares a million employees with 10 000: the first page of their list. */
export async function peopleScale(fixture: BenchFixture): Promise<Figure[]> {
  const sideOf = async (posted: number, count: number): Promise<Side> => {
    const business = await fixture.business(posted);
    await openPeople(fixture.suite, business, count);
    return repeating(fixture.load, async () => ({
      url: `${gatewayUrl(fixture.suite)}${LIST}`,
      headers: { authorization: await business.authorization() },
    }));
  };
  const [measured = [], baseline = []] = await inTurns(
    [await sideOf(MANY.posted, MANY.people), await sideOf(POSTED, PEOPLE)],
    { seconds: 3 },
  );
  return [
    {
      figure: 'people-scale-employees',
      title: 'Cost of `GET /api/employees` at 1 000 000, first page, against 10 000',
      value: throughputRatio(baseline, measured),
      unit: '×',
      target: { at_most: 1.5 },
      ...roundsForReport(measured, baseline),
    },
  ];
}
