/**
 * Rules of commission plans, and the commission of a sale under its agreed plan. Equal sales earn the same, regardless
 * of their history.
 */
import { recordActions } from '@suite/chassis/operations';
import { invalid } from '@suite/chassis/faults';
import { assertExact } from '@suite/document-lines';
import { compare, isZero, portion, subtract, sum } from '@suite/money';

/** Rate for the part of the base between the previous limit and its own. The last tier can have no limit. */
export interface CommissionTier {
  up_to: string | null;
  /** Percent. */
  rate: string;
}

/** Calculation terms of a plan, with amounts in base currency. */
export interface CommissionTerms {
  type: 'percent' | 'fixed' | 'tiered' | 'hybrid';
  base: 'gross' | 'net' | 'margin';
  trigger: 'posting' | 'payment';
  rate: string | null;
  fixed_amount: string | null;
  tiers: readonly CommissionTier[] | null;
  min: string | null;
  max: string | null;
}

/** Current state of a sale. */
export interface CommissionableSale {
  /** Invoiced amount, its part that was not returned, and the paid part of that, in the invoice currency. */
  total: string;
  remaining: string;
  collected: string;
  /** Base of the commission: gross, net or margin of the part that was not returned, in base currency. */
  base: string;
  currency: string;
}

/** Commission with its part of the base. */
export interface EarnedCommission {
  base: string;
  amount: string;
}

const minOf = (a: string, b: string): string => (compare(a, b) < 0 ? a : b);
const maxOf = (a: string, b: string): string => (compare(a, b) > 0 ? a : b);

const percentOf = (amount: string, rate: string, currency: string): string =>
  portion(amount, { whole: '100', before: '0', now: rate }, currency);

/**
 * Applies each tier's rate to the part of the base within the tier. The part above the last tier's end earns nothing.
 * Chosen: tiers apply per invoice, not per month. The commission then depends only on its own sale, and a return never
 * reverses part of another agent's commission. Each tier is rounded separately, as shown on a statement.
 */
function tieredAmount(base: string, tiers: readonly CommissionTier[], currency: string): string {
  const parts = tiers.map(({ up_to, rate }, at) => {
    const from = tiers[at - 1]?.up_to ?? '0';
    const to = up_to === null ? base : minOf(base, up_to);
    return compare(to, from) > 0 ? percentOf(subtract(to, from, currency), rate, currency) : '0';
  });
  return sum(parts, currency);
}

function variableAmount({ rate, tiers }: CommissionTerms, base: string, currency: string): string {
  if (compare(base, '0') <= 0) return '0';
  if (tiers) return tieredAmount(base, tiers, currency);
  return rate === null ? '0' : percentOf(base, rate, currency);
}

/**
 * Computes the current commission of a sale. The size of a return or a payment never changes a commission directly. The
 * commission is recomputed from the remaining and paid amounts, and the difference is posted. The steps therefore add
 * up to the whole exactly, however a return or a payment is split. Chosen: rates, tiers and `max` apply to the
 * remainder, as if only that had been sold. With tiers of 3 % up to 5,000 and 5 % above, a return of 1,000 from 7,000
 * reverses 5 % of 1,000, not a seventh. A fixed amount and `min` have no base: they stay in proportion to the
 * remainder. Under a plan with the trigger `payment`, the commission is earned in proportion to the payments.
 */
export function commissionOf(
  terms: CommissionTerms,
  { total, remaining, collected, base, currency }: CommissionableSale,
): EarnedCommission {
  const nothing = sum([], currency);
  if (isZero(remaining)) return { base: nothing, amount: nothing };
  const remainingShare = (amount: string | null) =>
    amount === null ? '0' : portion(amount, { whole: total, before: '0', now: remaining }, currency);
  const calculated = sum([variableAmount(terms, base, currency), remainingShare(terms.fixed_amount)], currency);
  const raised = maxOf(calculated, remainingShare(terms.min));
  const whole = sum([terms.max === null ? raised : minOf(raised, terms.max)], currency);
  if (terms.trigger === 'posting') return { base: sum([base], currency), amount: whole };
  const paid = (amount: string) => portion(amount, { whole: remaining, before: '0', now: collected }, currency);
  return { base: paid(base), amount: paid(whole) };
}

/** Plan with its validity period. */
export type CommissionPlanTerms = CommissionTerms & { valid_from: string | null; valid_to: string | null };

/** Fields of each plan type. A hybrid plan has a rate or tiers. */
const PARTS = {
  percent: { needs: ['rate'], has: ['rate'] },
  fixed: { needs: ['fixed_amount'], has: ['fixed_amount'] },
  tiered: { needs: ['tiers'], has: ['tiers'] },
  hybrid: { needs: ['fixed_amount'], has: ['fixed_amount', 'rate', 'tiers'] },
} as const;

function assertParts(plan: CommissionPlanTerms): void {
  const { needs, has } = PARTS[plan.type];
  const lacking = needs.find((part) => plan[part] === null);
  if (lacking) throw invalid(lacking, `A plan of the type ${plan.type} requires this field. Enter a value.`);
  const needless = (['rate', 'fixed_amount', 'tiers'] as const).find(
    (part) => plan[part] !== null && !(has as readonly string[]).includes(part),
  );
  if (needless) throw invalid(needless, `A plan of the type ${plan.type} does not use this field. Remove it.`);
  if (plan.type === 'hybrid' && (plan.rate === null) === (plan.tiers === null))
    throw invalid('rate', 'Enter either a rate or tiers in addition to the fixed amount.');
}

function assertTiers({ tiers }: CommissionPlanTerms, currency: string): void {
  let from = '0';
  for (const [at, { up_to }] of (tiers ?? []).entries()) {
    const field = `tiers.${at}.up_to`;
    if (up_to === null && at < tiers!.length - 1)
      throw invalid(field, 'Only the last tier can be without an upper limit.');
    if (up_to === null) return;
    assertExact(up_to, currency, field);
    if (compare(up_to, from) <= 0) throw invalid(field, 'A tier must end after it begins. Enter a higher limit.');
    from = up_to;
  }
}

/** Checks the period of a run. @throws a 422 fault that names the field */
export function assertPlan(plan: CommissionPlanTerms, currency: string): void {
  assertParts(plan);
  assertTiers(plan, currency);
  for (const field of ['fixed_amount', 'min', 'max'] as const) {
    const amount = plan[field];
    if (amount !== null) assertExact(amount, currency, field);
  }
  if (plan.min !== null && plan.max !== null && compare(plan.min, plan.max) > 0)
    throw invalid('max', 'The maximum must not be less than the minimum.');
  if (plan.valid_from && plan.valid_to && plan.valid_from >= plan.valid_to)
    throw invalid('valid_to', 'The plan must end after it begins. Choose a later day.');
}

/** Actions on commission plans. */
export const planActions = recordActions('commission_plan', {
  update: 'commission.update',
  delete: 'commission.update',
});
