/** The cost of hr operations: clocking in, and the list of employees. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '@suite/chassis/gateway';
import { gatewayUrl } from '../figures/sides.ts';
import { CONNECTIONS, repeatRequest, type Side } from '../figures/works.ts';
import type { Business } from '../fixture/business.ts';
import type { BenchFixture } from '../fixture/fixture.ts';
import type { RequestSample } from '../load/load.ts';
import { cost, type Figure, alternate, throughput } from '../report/figure.ts';
import { type Colleague, deletePunches, openPeople } from './records.ts';

const POSTED = 10_000;
const PEOPLE = 10_000;
const MANY = { posted: 1_000, people: 1_000_000 };
const LIST = '/api/employees?sort=-created_at&per_page=20&status=active';
const DRAIN_MS = 1_000;

/** Measures the first punch of a day, one employee after the other. Each round begins without punches. */
async function clockIn(fixture: BenchFixture, business: Business, people: readonly Colleague[]): Promise<Figure> {
  const { load, service, serviceToken, suite } = fixture;
  const bareStack = await fixture.bareStack();
  const headers = { 'content-type': 'application/json' };
  const side =
    (url: string, turnsOf: () => RequestSample['turns']): Side =>
    async (seconds) => {
      await deletePunches(suite, business);
      const request = { method: 'POST' as const, url, headers, body: '{}', connections: CONNECTIONS };
      const fired = await load.fire({ ...request, turns: turnsOf() ?? [] }, seconds);
      // The last punches are still processed after the round. Without this pause, they would be in the next round.
      await pause(DRAIN_MS);
      if (fired.used > people.length) throw new Error(`${people.length} people are too few.`);
      return fired;
    };
  const ours = side(`${service('hr')}/api/hrm/clock-in-out`, () =>
    people.map(({ user_id }) => {
      const caller: Caller = { ...business.caller, user_id };
      return { headers: { authorization: serviceToken('hr', caller) } };
    }),
  );
  const bare = side(`${bareStack.direct}/punches`, () =>
    people.map(() => ({ body: JSON.stringify({ employee_id: randomUUID() }) })),
  );
  const [measured = [], baseline = []] = await alternate([ours, bare], { seconds: 2, warm_up_s: 1.5 });
  const title =
    'Throughput of `POST /api/hrm/clock-in-out` (the first punch of a day, each of another employee), against the bare stack (express + Prisma)';
  return throughput({ figure: 'clock-in', title, target: { at_least: 0.3 } }, measured, baseline);
}

export async function people(fixture: BenchFixture): Promise<Figure[]> {
  const business = await fixture.business(POSTED);
  return [await clockIn(fixture, business, await openPeople(fixture.suite, business, PEOPLE))];
}

/** Compares a million employees with 10 000: the first page of their list. */
export async function peopleScale(fixture: BenchFixture): Promise<Figure[]> {
  const sideOf = async (posted: number, count: number): Promise<Side> => {
    const business = await fixture.business(posted);
    await openPeople(fixture.suite, business, count);
    return repeatRequest(fixture.load, async () => ({
      url: `${gatewayUrl(fixture.suite)}${LIST}`,
      headers: { authorization: await business.authorization() },
    }));
  };
  const [measured = [], baseline = []] = await alternate(
    [await sideOf(MANY.posted, MANY.people), await sideOf(POSTED, PEOPLE)],
    { seconds: 3 },
  );
  const title = 'Cost of `GET /api/employees` at 1 000 000, first page, against 10 000';
  return [cost({ figure: 'people-scale-employees', title, at_most: 1.5 }, measured, baseline)];
}
