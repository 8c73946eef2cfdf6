import { choice, Currency, input, MoneyOut, record, Timestamp, Url, LongText } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { Interval, PlanCode } from '../offers/offer.schema.ts';
import { courseOfSubscription } from '../../workspaces/subscriptions/subscription.schema.ts';
import { subscriptions } from './subscription.rules.ts';

/** Subscription at the payment provider, with its plan and its end. */
export const SoldSubscription = record({
  payment_subscription_id: z.string().nullable().describe('ID at the provider, which paths use.'),
  client_reference: z.string().nullable(),
  plan: z.string(),
  interval: Interval.nullable(),
  currency: z.string().nullable(),
  amount: MoneyOut.nullable(),
  ...courseOfSubscription,
  grace_until: Timestamp.nullable().describe(
    'End of the grace period, during which the plan continues despite a late payment.',
  ),
  next_plan: z.string().nullable().describe('Plan from the end of the period.'),
  provider_mode: choice('live', 'test'),
  synced_at: Timestamp.nullable().describe('Time of the last synchronisation with the payment provider.'),
  allowed_actions: Actions(subscriptions),
});

export const SubscriptionFilter = list(SoldSubscription, {
  filter: [
    'id',
    'client_reference',
    'status',
    'cancel_at_period_end',
    'current_period_end',
    'created_at',
    'updated_at',
  ],
  sort: ['created_at', 'updated_at', 'current_period_end'],
  search: false,
});

/** Provider ID of a subscription, in a path. */
export const PaymentSubscriptionId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,255}$/, 'Enter the ID of a subscription at the payment provider.')
  .describe('ID of the subscription at the payment provider.')
  .meta({ example: 'sub_1PxYz2EuVb3kq9' });

export const Cancellation = input({
  immediate: z
    .boolean()
    .default(false)
    .describe('Whether to cancel immediately instead of at the end of the paid period.'),
  reason: LongText.max(500).min(1).optional(),
});

const Quantity = z.int().min(1).max(100_000);

export const PlanChangeInput = input({
  plan: PlanCode,
  interval: Interval,
  quantity: Quantity.optional(),
  at: choice('now', 'period_end').describe(
    'Time of the change: immediately, with the remaining period settled, or at the end of the period.',
  ),
});

export const OwnCheckoutInput = input({
  plan: PlanCode,
  interval: Interval,
  currency: Currency.optional(),
  quantity: Quantity.optional(),
  success_url: Url,
  cancel_url: Url,
});

export const PortalInput = input({ return_url: Url });
export const Portal = z.object({ url: z.string() }).meta({ id: 'Portal' });
