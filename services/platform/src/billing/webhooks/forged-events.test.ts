import { beforeAll, describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { CALLBACK, deliver, createSubscription } from '../../../test/customers.ts';
import { sellPlans } from '../../../test/plans.ts';
import { startFakeStripe } from '../../../test/stripe.ts';
import { openInstance, type TestInstance } from '../../../test/white-label.ts';
import { sign } from '../payments/signature.rules.ts';

const platform = await start(contents);
const stripe = await startFakeStripe();
let northwind: TestInstance;
beforeAll(async () => {
  await sellPlans(platform);
  northwind = await openInstance(platform);
});

const rowOf = async (ref: string) => (await platform.sql`SELECT * FROM subscriptions WHERE provider_ref = ${ref}`)[0]!;

describe('a forged event that an instance relays', () => {
  const relayEvent = ({ token, webhook_secret }: TestInstance, body: string) => {
    const signature = sign(webhook_secret, Math.floor(Date.now() / 1_000), Buffer.from(body));
    const headers = { 'content-type': 'application/json', 'x-bearer': token, 'webhook-signature': signature };
    return platform.anonymous.send('POST', CALLBACK, body, headers);
  };

  test('is rejected with a time in the future, and hides no later event', async () => {
    const { subscription, ref } = await createSubscription(platform, stripe, northwind);
    const ahead = Math.floor(Date.now() / 1_000) + 400;
    const forged = stripe.event('customer.subscription.updated', subscription, { created: ahead });
    expect(await relayEvent(northwind, forged.body)).toMatchObject({
      status: 422,
      body: { errors: { created: ['The time of an event must not be in the future.'] } },
    });
    const soon = stripe.event('customer.subscription.updated', subscription, { created: ahead - 200 });
    expect((await relayEvent(northwind, soon.body)).body.data).toMatchObject({ status: 'processed' });
    subscription.status = 'past_due';
    const created = Math.floor(Date.now() / 1_000) + 1;
    const genuine = stripe.event('customer.subscription.updated', subscription, { created });
    expect((await deliver(platform, genuine)).body.data).toMatchObject({ status: 'processed' });
    expect((await rowOf(ref)).status).toBe('past_due');
  });

  test.each(['foo.bar', 'customer.subscription.updated'])(
    'does not use up the ID of a provider event of type %s',
    async (type) => {
      const [first, { subscription, ref }] = [
        await createSubscription(platform, stripe, northwind),
        await createSubscription(platform, stripe, northwind),
      ];
      subscription.status = 'past_due';
      const genuine = stripe.event('customer.subscription.updated', subscription);
      const forged = JSON.stringify({
        ...JSON.parse(genuine.body),
        type,
        data: { object: { id: first.ref } },
      });
      expect((await relayEvent(northwind, forged)).status).toBe(200);
      expect((await deliver(platform, genuine)).body.data).toMatchObject({ status: 'processed', duplicate: false });
      expect((await rowOf(ref)).status).toBe('past_due');
      expect((await deliver(platform, genuine)).body.data).toMatchObject({ duplicate: true });
      expect((await relayEvent(northwind, forged)).body.data).toMatchObject({ status: 'ignored_unknown' });
    },
  );
});
