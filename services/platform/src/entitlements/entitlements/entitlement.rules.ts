/** Plan in effect for a workspace: by its subscription, by its trial, or set by the operator. */

/** Statuses of a subscription, as payment providers name them. */
export const SUBSCRIPTION_STATUSES = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** The parts of a subscription that determine entitlements. Times are RFC 3339. */
export interface SubscriptionTerms {
  plan_code: string;
  status: SubscriptionStatus;
  past_due_since: string | null;
  cancel_at_period_end: boolean;
  current_period_end: string | null;
}

/** Facts that determine the entitlements of a workspace. */
export interface EntitlementBasis {
  /** True if the workspace is neither suspended nor closed. */
  is_open: boolean;
  /** Plan set by the operator. */
  given_plan: string;
  /** End of the operator's plan. Null for a permanent plan. */
  trial_ends_at: string | null;
  /** Subscriptions of the workspace, newest first. */
  subscriptions: readonly SubscriptionTerms[];
  /** Plan settings of the operator. */
  fallback_plan: string | null;
  grace_days: number;
}

/** Plan in effect, and its end. */
export interface EffectivePlan {
  /** Plan code. Null for none. */
  plan_code: string | null;
  /**
   * Status of the subscription. `trialing` or `paused` for a trial without a subscription. Empty if the operator
   * assigned the plan.
   */
  status: SubscriptionStatus | '';
  /** Time at which the fallback plan takes effect. Null if that depends on a change and not on time. */
  until: string | null;
}

const DAY_MS = 86_400_000;
const TERMINAL_STATUSES: readonly string[] = ['canceled', 'incomplete_expired'];
/** Statuses of a subscription whose first payment has not arrived. */
const STATUSES_BEFORE_PAYMENT: readonly string[] = ['incomplete', 'incomplete_expired'];

/** Returns the time at which the grace period of a past-due subscription ends, or null for other subscriptions. */
export function graceEnd(
  { status, past_due_since }: Pick<SubscriptionTerms, 'status' | 'past_due_since'>,
  grace_days: number,
): string | null {
  if (status !== 'past_due' || past_due_since === null) return null;
  return new Date(Date.parse(past_due_since) + grace_days * DAY_MS).toISOString();
}

/**
 * Returns the time until which a subscription gives its plan, if time alone ends it.
 * @returns undefined when it gives nothing, at any time
 */
function entitledUntil(subscription: SubscriptionTerms, grace_days: number): string | null | undefined {
  const { status, cancel_at_period_end, current_period_end } = subscription;
  if (status !== 'trialing' && status !== 'active' && status !== 'past_due') return undefined;
  const ends = [graceEnd(subscription, grace_days), cancel_at_period_end ? current_period_end : null];
  return ends.filter((end) => end !== null).toSorted((one, other) => Date.parse(one) - Date.parse(other))[0] ?? null;
}

const isBefore = (now: Date, end: string | null): boolean => end === null || now.getTime() < Date.parse(end);

/**
 * Returns the effective plan at a given time. Intervals are half-open: the fallback plan applies from the end itself.
 * Among several subscriptions, one that gives its plan now takes precedence. Next comes one that has not ended, then
 * the newest. Chosen: a subscription without its first payment gives nothing and removes nothing. A customer who starts
 * to pay during a trial, and must first confirm with their bank, keeps the trial. Once a subscription has begun,
 * earlier entitlements no longer count.
 */
export function effectivePlan(basis: EntitlementBasis, now: Date): EffectivePlan {
  const { is_open, given_plan, trial_ends_at, subscriptions, fallback_plan, grace_days } = basis;
  const candidates = subscriptions.map((subscription) => ({
    ...subscription,
    until: entitledUntil(subscription, grace_days),
  }));
  const active = candidates.find(({ until }) => until !== undefined && isBefore(now, until));
  const relevant = active ?? candidates.find(({ status }) => !TERMINAL_STATUSES.includes(status)) ?? candidates[0];
  if (!is_open) return { plan_code: null, status: relevant?.status ?? '', until: null };
  if (active) return { plan_code: active.plan_code, status: active.status, until: active.until ?? null };
  const hasStarted = candidates.some(({ status }) => !STATUSES_BEFORE_PAYMENT.includes(status));
  if (relevant && (hasStarted || !isBefore(now, trial_ends_at)))
    return { plan_code: fallback_plan, status: relevant.status, until: null };
  if (trial_ends_at === null) return { plan_code: given_plan, status: '', until: null };
  // Chosen: a trial without a subscription has the same statuses as one with a subscription, which pauses without
  // payment.
  if (isBefore(now, trial_ends_at)) return { plan_code: given_plan, status: 'trialing', until: trial_ends_at };
  return { plan_code: fallback_plan, status: 'paused', until: null };
}
