/** Terminal output about plans. */
import { sql } from '@suite/chassis/database';
import { formatAmount } from '@suite/chassis/fields';
import type { Db } from '../operations.ts';
import { PlanNotFound } from '../entitlements/plans/plan-catalogue.ts';

interface PlanRow {
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

const readPlans = (all: Db, code: string | null): Promise<PlanRow[]> =>
  all.rows<PlanRow>(sql`
    SELECT plans.*,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'interval', "interval", 'amount', amount::text,
          'per_user', per_user, 'wholesale', wholesale_amount::text) ORDER BY currency, "interval"), '[]')
        FROM prices WHERE prices.plan_code = plans.code AND replaced_at IS NULL) AS prices,
      (SELECT count(*) FROM workspaces WHERE workspaces.plan_code = plans.code) AS workspaces,
      (SELECT count(*) FROM subscriptions WHERE subscriptions.plan_code = plans.code
        AND subscriptions.status NOT IN ('canceled', 'incomplete_expired')) AS subscriptions
    FROM plans WHERE ${code}::text IS NULL OR code = ${code} ORDER BY position, code`);

const formatPrice = ({ currency, interval, amount, per_user, wholesale }: PlanRow['prices'][number]): string =>
  [
    `${formatAmount(currency, amount)} ${currency} a ${interval}`,
    ...(per_user ? ['for each user'] : []),
    ...(wholesale === null ? [] : [`(wholesale ${formatAmount(currency, wholesale)})`]),
  ].join(' ');

const formatStatus = ({ status, is_public, is_recommended }: PlanRow): string =>
  [
    status === 'active' ? (is_public ? 'offered' : 'offered, not public') : status,
    ...(is_recommended ? ['recommended'] : []),
  ].join(', ');

/** Returns all plans, one line for each. */
export async function formatPlanList(all: Db): Promise<string> {
  const plans = await readPlans(all, null);
  return plans
    .map((plan) => {
      const prices = plan.prices.map(formatPrice).join('; ') || 'no price';
      return `${plan.code.padEnd(16)} ${formatStatus(plan).padEnd(22)} ${plan.name}: ${prices}`;
    })
    .join('\n');
}

const formatLimit = (limit: number | null): string => (limit === null ? 'no limit' : String(limit));

/** Returns all details of a plan. @throws PlanNotFound */
export async function formatPlan(all: Db, code: string): Promise<string> {
  const [plan] = await readPlans(all, code);
  if (!plan) throw PlanNotFound();
  return [
    `${plan.name} (${plan.code}): ${formatStatus(plan)}`,
    `modules        ${plan.modules.join(', ')}`,
    `users          ${formatLimit(plan.user_limit)}`,
    `customers      ${formatLimit(plan.customer_limit)}`,
    `storage        ${formatLimit(plan.storage_limit_mb)}${plan.storage_limit_mb === null ? '' : ' MiB'}`,
    `requests       ${formatLimit(plan.api_rpm_limit)}${plan.api_rpm_limit === null ? '' : ' a minute'}`,
    `trial          ${plan.trial_days} days`,
    `prices         ${plan.prices.map(formatPrice).join('; ') || 'none'}`,
    `given to       ${plan.workspaces} workspaces`,
    `subscribed by  ${plan.subscriptions}`,
  ].join('\n');
}

/** Returns the settings of all plans. */
export async function formatSettings(all: Db): Promise<string> {
  const [settings] = await all.rows<{ fallback_plan: string | null; grace_days: number; email_limit: number }>(sql`
    SELECT fallback_plan, grace_days, email_limit FROM plan_settings`);
  const { fallback_plan, grace_days, email_limit } = settings!;
  return `Plan after the end of a plan: ${fallback_plan ?? 'none'}. Grace period for a late payment: ${grace_days} days. E-mail recipients an hour in a workspace whose plan has no limit: ${email_limit}.`;
}
