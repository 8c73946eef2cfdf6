/** Lifecycle of a subscription. The provider is the source of truth: the status here is the last one reported. */
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { lifecycle } from '@suite/chassis/operations';
import type { SubscriptionStatus } from '../../entitlements/entitlements/entitlement.rules.ts';

export const AlreadySubscribed = fault(
  409,
  'already_subscribed',
  'The workspace already has a subscription. Change it instead.',
);
export const NotAtProvider = fault(
  409,
  'not_at_provider',
  'Subscription not found at the payment provider. Check the ID.',
);
export const PlanLimitExceeded = fault(
  409,
  'plan_limit',
  'The workspace uses more than the new plan allows. Reduce the usage first, or change the plan at the end of the period.',
);
export const ManagedByPartner = fault(
  409,
  'managed_by_partner',
  'A partner manages this subscription. Ask the partner to change it.',
);

export const TERMINAL_STATUSES: readonly string[] = ['canceled', 'incomplete_expired'];
const RUNNING_STATUSES = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused'] as const;

/** Lifecycle of a subscription. A provider snapshot can move from every non-terminal status to every other one. */
export const subscriptions = lifecycle(
  'subscription',
  {
    incomplete: {},
    incomplete_expired: {},
    trialing: {},
    active: {},
    past_due: {},
    unpaid: {},
    paused: {},
    canceled: {},
  },
  {
    derived: { among: RUNNING_STATUSES, from: 'the payment provider' },
    actions: {
      cancel: { permission: 'subscription.manage', in: RUNNING_STATUSES },
      resume: { permission: 'subscription.manage', in: RUNNING_STATUSES },
      change: { permission: 'subscription.manage', in: ['trialing', 'active', 'past_due'] },
    },
  },
);

/** Returns the allowed actions on a subscription. Only a subscription that is ending can be resumed. */
export const allowedActionsOn = (
  caller: Caller | null,
  row: { status: string; cancel_at_period_end: boolean },
): string[] => subscriptions.allowedTo(caller, row).filter((name) => name !== 'resume' || row.cancel_at_period_end);

/** Returns true if the provider reports that a subscription has left a terminal state. */
export const isImpossibleTransition = (before: string, now: SubscriptionStatus): boolean =>
  TERMINAL_STATUSES.includes(before) && before !== now;

/**
 * Returns the time since which a subscription is past due: the first snapshot with that status. Chosen:
 * `past_due_since` remains set while the subscription is unpaid or paused. Only an active subscription clears it.
 */
export function pastDueSince(before: Date | null, status: SubscriptionStatus, fetched_at: Date): Date | null {
  if (status === 'past_due') return before ?? fetched_at;
  return status === 'unpaid' || status === 'paused' ? before : null;
}

/**
 * Returns the plan of a subscription at a given time. A change scheduled for the end of a period keeps the previous
 * plan until then.
 */
export function planAt(
  { plan = '', plan_before, plan_from }: Readonly<Record<string, string>>,
  now: Date,
): { plan_code: string; next_plan: string | null } {
  if (plan_before && plan_from && Date.parse(plan_from) > now.getTime())
    return { plan_code: plan_before, next_plan: plan };
  return { plan_code: plan, next_plan: null };
}
