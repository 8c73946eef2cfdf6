import { beforeAll, describe, expect, test } from '@jest/globals';
import { start, freezeClock } from '@suite/testing';
import fc from 'fast-check';
import { platform as contents } from '../../platform.ts';
import { deliver, subscribeCustomer } from '../../../test/customers.ts';
import { sellPlans } from '../../../test/plans.ts';
import { type SignedEvent, startFakeStripe } from '../../../test/stripe.ts';
import { openInstance, type TestInstance } from '../../../test/white-label.ts';

const platform = await start(contents);
const stripe = await startFakeStripe();
let northwind: TestInstance;
beforeAll(async () => {
  await sellPlans(platform);
  northwind = await openInstance(platform);
});

const RUNNING = ['trialing', 'active', 'past_due', 'unpaid', 'paused'] as const;
/** Delivery of past events in this step: once, twice, or forged. */
const arrivals = fc.array(fc.tuple(fc.nat(), fc.constantFrom('once', 'twice', 'forged')), { maxLength: 4 });
const step = fc.record({
  status: fc.constantFrom(...RUNNING),
  cancel_at_period_end: fc.boolean(),
  quantity: fc.integer({ min: 1, max: 9 }),
  arrivals,
});
/** Changes at the provider, and the events that arrive between them: late, repeated, reordered, or never. */
const story = fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 5 }), ends: fc.boolean(), arrivals });

let second = Date.parse('2030-01-01T00:00:00Z') / 1_000;
const time = { goTo: (_: string): void => undefined };
const later = (by_s = 1) => {
  second += by_s;
  time.goTo(new Date(second * 1_000).toISOString());
};

async function arrive(events: readonly SignedEvent[], input: readonly (readonly [number, string])[]): Promise<void> {
  for (const [pick, how] of input) {
    later();
    const event = events[pick % events.length]!;
    const sent = how === 'forged' ? { ...event, body: event.body.replace('"evt_', '"evt_x') } : event;
    for (const _ of how === 'twice' ? [1, 2] : [1])
      expect((await deliver(platform, sent)).status).toBe(how === 'forged' ? 401 : 200);
  }
}

/** Returns true if a subscription is past due. While unpaid or paused, it keeps its previous value. */
const isLate = (status: string, before: boolean): boolean =>
  status === 'past_due' || (before && (status === 'unpaid' || status === 'paused'));

describe('events of a subscription', () => {
  test('converge if reordered, repeated, late, forged, or lost except for the last', async () => {
    time.goTo = freezeClock(new Date(second * 1_000).toISOString()).goTo;
    await fc.assert(
      fc.asyncProperty(story, async ({ steps, ends, arrivals: last }) => {
        const { session, subscription, ref } = await subscribeCustomer(stripe, northwind);
        const events = [stripe.event('checkout.session.completed', session)];
        for (const [at, { quantity, arrivals: now, ...patch }] of steps.entries()) {
          // Some changes fall within one second, the resolution of an event's timestamp.
          later(at % 2);
          Object.assign(subscription, patch);
          subscription.items.data[0].quantity = quantity;
          events.push(stripe.event('customer.subscription.updated', subscription));
          await arrive(events, now);
        }
        later();
        if (ends) {
          Object.assign(subscription, { status: 'canceled', canceled_at: second, ended_at: second });
          events.push(stripe.event('customer.subscription.deleted', subscription));
        }
        await arrive(events, last);
        later();
        expect((await deliver(platform, events.at(-1)!)).status).toBe(200);
        const { status, cancel_at_period_end, ended_at, items } = subscription;
        const [row, ...more] = await platform.sql`SELECT * FROM subscriptions WHERE provider_ref = ${ref}`;
        expect(more).toEqual([]);
        expect(row).toMatchObject({
          status,
          cancel_at_period_end,
          quantity: items.data[0].quantity,
          ended_at: ended_at === null ? null : new Date(ended_at * 1_000),
          wl_instance_id: northwind.id,
          workspace_id: expect.any(String),
        });
        const late = row!['past_due_since'] !== null;
        expect(late).toBe(isLate(status, late));
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});
