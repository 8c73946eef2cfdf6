/** The plan that counts for a workspace: by its subscription, by its trial, or because the operator gave it. */

/** The states of a subscription, in the words of payment providers. */
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

/** A subscription, as far as entitlements depend on it. Instants are RFC 3339. */
export interface PaidFor {
  plan_code: string;
  status: SubscriptionStatus;
  past_due_since: string | null;
  cancel_at_period_end: boolean;
  current_period_end: string | null;
}

/** The facts from which the entitlements of a workspace follow. */
export interface Circumstances {
  /** Whether the workspace is neither suspended nor closed. */
  is_open: boolean;
  /** The plan that the operator gave. */
  given_plan: string;
  /** When that ends; null for never. */
  trial_ends_at: string | null;
  /** Its subscriptions, the newest first. */
  subscriptions: readonly PaidFor[];
  /** The operator's decisions. */
  fallback_plan: string | null;
  grace_days: number;
}

/** The plan that counts, and until when. */
export interface Entitled {
  /** Null for none. */
  plan_code: string | null;
  /** That of the subscription; `trialing` or `paused` for a trial without one; empty where the operator gave the plan. */
  status: SubscriptionStatus | '';
  /** The instant from which the fallback plan counts; null where that hangs on a change and not on time. */
  until: string | null;
}

const DAY_MS = 86_400_000;
const TERMINAL: readonly string[] = ['canceled', 'incomplete_expired'];
/** The first payment has not come, or never came. */
const NOT_BEGUN: readonly string[] = ['incomplete', 'incomplete_expired'];

/** The instant at which the grace of a subscription ends that is past due; null for others. */
export function graceEnd(
  { status, past_due_since }: Pick<PaidFor, 'status' | 'past_due_since'>,
  grace_days: number,
): string | null {
  if (status !== 'past_due' || past_due_since === null) return null;
  return new Date(Date.parse(past_due_since) + grace_days * DAY_MS).toISOString();
}

/**
 * Until when a subscription gives its plan, if time alone ends that.
 * @returns undefined when it gives nothing, whatever the time
 */
function givesUntil(subscription: PaidFor, grace_days: number): string | null | undefined {
  const { status, cancel_at_period_end, current_period_end } = subscription;
  if (status !== 'trialing' && status !== 'active' && status !== 'past_due') return undefined;
  const ends = [graceEnd(subscription, grace_days), cancel_at_period_end ? current_period_end : null];
  return ends.filter((end) => end !== null).toSorted((one, other) => Date.parse(one) - Date.parse(other))[0] ?? null;
}

const isBefore = (now: Date, end: string | null): boolean => end === null || now.getTime() < Date.parse(end);

/**
 * The plan that counts at an instant. Intervals are half-open: from the end on, the fallback plan counts.
 * Of several subscriptions one that gives its plan now counts; else one that is not over, else the newest.
 * Chosen: one of which the first payment has not come yet gives nothing, and takes nothing away either: whoever begins to pay
 * during a trial, and is asked by the bank first, goes on as before. Once one has begun, what was given before it counts no more.
 */
export function entitled(circumstances: Circumstances, now: Date): Entitled {
  const { is_open, given_plan, trial_ends_at, subscriptions, fallback_plan, grace_days } = circumstances;
  const standing = subscriptions.map((paid) => ({ ...paid, until: givesUntil(paid, grace_days) }));
  const giving = standing.find(({ until }) => until !== undefined && isBefore(now, until));
  const counting = giving ?? standing.find(({ status }) => !TERMINAL.includes(status)) ?? standing[0];
  if (!is_open) return { plan_code: null, status: counting?.status ?? '', until: null };
  if (giving) return { plan_code: giving.plan_code, status: giving.status, until: giving.until ?? null };
  const hasBegun = standing.some(({ status }) => !NOT_BEGUN.includes(status));
  if (counting && (hasBegun || !isBefore(now, trial_ends_at)))
    return { plan_code: fallback_plan, status: counting.status, until: null };
  if (trial_ends_at === null) return { plan_code: given_plan, status: '', until: null };
  // Chosen: a trial without a subscription is called as one with a subscription, which pauses when nobody pays.
  if (isBefore(now, trial_ends_at)) return { plan_code: given_plan, status: 'trialing', until: trial_ends_at };
  return { plan_code: fallback_plan, status: 'paused', until: null };
}
