import { choice, Currency, Id, MoneyOut, record, Timestamp } from '@suite/chassis/fields';
import { z } from 'zod';
import { SUBSCRIPTION_STATUSES } from '../../entitlements/entitlements/entitlement.rules.ts';
import { MODULES } from '../../entitlements/plans/module.ts';
import { PlanLimits, PriceInterval } from '../../entitlements/plans/public-plan.schema.ts';

export const SubscriptionStatus = choice(...SUBSCRIPTION_STATUSES);

/** State and schedule of a subscription, in the payment provider's terms. */
export const courseOfSubscription = {
  quantity: z.int(),
  status: SubscriptionStatus,
  current_period_start: Timestamp.nullable(),
  current_period_end: Timestamp.nullable(),
  trial_end: Timestamp.nullable(),
  cancel_at_period_end: z.boolean(),
  canceled_at: Timestamp.nullable(),
  ended_at: Timestamp.nullable(),
  ended_reason: choice('requested', 'unpaid', 'disputed').nullable(),
  past_due_since: Timestamp.nullable(),
};

/** Subscription, as its workspace sees it. */
export const Subscription = record({
  plan: z.string().describe('Code of the plan.').meta({ example: 'business' }),
  price_id: Id.nullable(),
  amount: MoneyOut.nullable(),
  currency: Currency.nullable(),
  interval: PriceInterval.nullable(),
  ...courseOfSubscription,
  grace_until: Timestamp.nullable().describe('Time until which the plan continues although a payment is due.'),
  next_plan: z.string().nullable().describe('Plan from the end of the period.'),
  provider_mode: choice('live', 'test'),
  synced_at: Timestamp.nullable().describe('Time of the last request to the payment provider.'),
}).meta({ id: 'Subscription' });

/** Modules and limits of a workspace, with their reason and the current usage. */
export const WorkspaceSubscription = z
  .object({
    status: choice('none', ...SUBSCRIPTION_STATUSES).describe(
      '`none` if the operator granted the plan. A trial without a subscription is `trialing`, and `paused` after its end.',
    ),
    plan: z.object({ code: z.string(), name: z.string() }).nullable().describe('Active plan. `null` for none.'),
    until: Timestamp.nullable().describe('Time when the current plan ends unless someone acts.'),
    trial_ends_at: Timestamp.nullable().describe('End of a trial without a subscription.'),
    modules: z.array(z.enum(MODULES)),
    limits: PlanLimits,
    usage: z.object({
      users: z.int().describe('Number of owners and staff, invited or active.'),
      storage_mb: z.int().describe('Size of stored files in MiB, rounded up. At most one minute old.'),
    }),
    managed_by_partner: z.boolean().describe('Whether a partner sold and manages the subscription.'),
    subscription: Subscription.nullable().describe('Active subscription, or the last one.'),
  })
  .meta({ id: 'WorkspaceSubscription' });
