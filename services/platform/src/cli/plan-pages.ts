/** Terminal output about plans. */
import { sql } from '@suite/chassis/database';
import { inDecimalsOf } from '@suite/chassis/fields';
import type { Db } from '../operations.ts';
import { NoSuchPlan } from '../entitlements/plans/plan-catalogue.ts';

interface Row {
  code: string;
  name: string;
  status: string;
  is_public: boolean;
  is_recommended: boolean;
  modules: string[];
  trial_days: number;
  user_limit: number | null;
  customer_limit: number | null;
  storage_limit_mb: number | null;
  api_rpm_limit: number | null;
  prices: { currency: string; interval: string; amount: string; per_user: boolean; wholesale: string | null }[];
  workspaces: number;
  subscriptions: number;
}

const readPlans = (all: Db, code: string | null): Promise<Row[]> =>
  all.rows<Row>(sql`
    SELECT plans.*,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'interval', "interval", 'amount', amount::text,
          'per_user', per_user, 'wholesale', wholesale_amount::text) ORDER BY currency, "interval"), '[]')
        FROM prices WHERE prices.plan_code = plans.code AND replaced_at IS NULL) AS prices,
      (SELECT count(*) FROM workspaces WHERE workspaces.plan_code = plans.code) AS workspaces,
      (SELECT count(*) FROM subscriptions WHERE subscriptions.plan_code = plans.code
        AND subscriptions.status NOT IN ('canceled', 'incomplete_expired')) AS subscriptions
    FROM plans WHERE ${code}::text IS NULL OR code = ${code} ORDER BY position, code`);

const priceOf = ({ currency, interval, amount, per_user, wholesale }: Row['prices'][number]): string =>
  [
    `${inDecimalsOf(currency, amount)} ${currency} a ${interval}`,
    ...(per_user ? ['for each user'] : []),
    ...(wholesale === null ? [] : [`(wholesale ${inDecimalsOf(currency, wholesale)})`]),
  ].join(' ');

const stateOf = ({ status, is_public, is_recommended }: Row): string =>
  [
    status === 'active' ? (is_public ? 'offered' : 'offered, not public') : status,
    ...(is_recommended ? ['recommended'] : []),
  ].join(', ');

/** Returns all plans, one line for each. */
export async function planLines(all: Db): Promise<string> {
  const plans = await readPlans(all, null);
  return plans
    .map((plan) => {
      const prices = plan.prices.map(priceOf).join('; ') || 'no price';
      return `${plan.code.padEnd(16)} ${stateOf(plan).padEnd(22)} ${plan.name}: ${prices}`;
    })
    .join('\n');
}

const orNone = (limit: number | null): string => (limit === null ? 'no limit' : String(limit));

/** Returns all details of a plan. @throws NoSuchPlan */
export async function planPage(all: Db, code: string): Promise<string> {
  const [plan] = await readPlans(all, code);
  if (!plan) throw NoSuchPlan();
  return [
    `${plan.name} (${plan.code}): ${stateOf(plan)}`,
    `modules        ${plan.modules.join(', ')}`,
    `users          ${orNone(plan.user_limit)}`,
    `customers      ${orNone(plan.customer_limit)}`,
    `storage        ${orNone(plan.storage_limit_mb)}${plan.storage_limit_mb === null ? '' : ' MiB'}`,
    `requests       ${orNone(plan.api_rpm_limit)}${plan.api_rpm_limit === null ? '' : ' a minute'}`,
    `trial          ${plan.trial_days} days`,
    `prices         ${plan.prices.map(priceOf).join('; ') || 'none'}`,
    `given to       ${plan.workspaces} workspaces`,
    `subscribed by  ${plan.subscriptions}`,
  ].join('\n');
}

/** Returns the settings of all plans. */
export async function settingsPage(all: Db): Promise<string> {
  const [found] = await all.rows<{ fallback_plan: string | null; grace_days: number; email_limit: number }>(sql`
    SELECT fallback_plan, grace_days, email_limit FROM plan_settings`);
  const { fallback_plan, grace_days, email_limit } = found!;
  return `Plan after the end of a plan: ${fallback_plan ?? 'none'}. Grace period for a late payment: ${grace_days} days. E-mail recipients an hour in a workspace whose plan has no limit: ${email_limit}.`;
}
