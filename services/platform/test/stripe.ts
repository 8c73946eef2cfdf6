/** For tests: a fake payment provider that implements Stripe's wire protocol. */
import { afterAll } from '@jest/globals';
import { type FakeStripe, startStripe } from '@suite/testing/payments/stripe';
import { openPayments } from '../src/billing/payments/payments.ts';

export type { SignedEvent, FakeStripe } from '@suite/testing/payments/stripe';

/** Starts the fake, and opens payments with it until the file ends: in test mode, and also in live mode on request. */
export async function startFakeStripe({
  live = false,
  timeout_ms,
}: {
  live?: boolean;
  timeout_ms?: number;
} = {}): Promise<FakeStripe & { openPayments(modes: { live: boolean }): void }> {
  const stripe = await startStripe();
  const { STRIPE_API_URL, STRIPE_TEST_KEY, STRIPE_TEST_WEBHOOK_SECRETS } = stripe.settings;
  const { STRIPE_LIVE_KEY, STRIPE_LIVE_WEBHOOK_SECRETS } = stripe.live;
  const open = (modes: { live: boolean }) =>
    openPayments({
      STRIPE_API_URL,
      STRIPE_TEST_KEY,
      ...(modes.live && { STRIPE_LIVE_KEY }),
      ...(timeout_ms !== undefined && { timeout_ms }),
      STRIPE_LIVE_WEBHOOK_SECRETS: [STRIPE_LIVE_WEBHOOK_SECRETS],
      STRIPE_TEST_WEBHOOK_SECRETS: [STRIPE_TEST_WEBHOOK_SECRETS],
    });
  open({ live });
  afterAll(async () => {
    openPayments();
    await stripe.stop();
  });
  return Object.assign(stripe, { openPayments: open });
}
