/**
 * The rules of commission plans, and the commission of a sale by its plan as it was agreed: equal sales earn the same,
 * whatever led there.
 */
import { invalid } from '@suite/chassis';
import { assertExact } from '@suite/document-lines';
import { compare, isZero, portion, subtract, sum } from '@suite/money';

/** A rate for the part of the base between the tier before and its own end; the last one may have no end. */
export interface Tier {
  up_to: string | null;
  /** Percent. */
  rate: string;
}

/** The part of a plan that computes a commission. Its amounts are in the currency of the books. */
export interface Terms {
  type: 'percent' | 'fixed' | 'tiered' | 'hybrid';
  base: 'gross' | 'net' | 'margin';
  trigger: 'posting' | 'payment';
  rate: string | null;
  fixed_amount: string | null;
  tiers: readonly Tier[] | null;
  min: string | null;
  max: string | null;
}

/** How a sale stands now. */
export interface Sale {
  /** Invoiced, not returned, and paid of the latter; in the invoice's currency. */
  total: string;
  remaining: string;
  collected: string;
  /** The base of the commission: gross, net or margin of the part that was not returned, in base currency. */
  base: string;
  currency: string;
}

/** A commission, and the part of the base that it is for. */
export interface Earned {
  base: string;
  amount: string;
}

const lower = (a: string, b: string): string => (compare(a, b) < 0 ? a : b);
const higher = (a: string, b: string): string => (compare(a, b) > 0 ? a : b);

const percentOf = (amount: string, rate: string, currency: string): string =>
  portion(amount, { whole: '100', before: '0', now: rate }, currency);

/**
 * Each tier's rate of the part of the base that lies in it. What lies above the last tier's end earns nothing.
 * Chosen: the tiers run over one invoice, not over a month of them: then what a sale earns depends on nothing but the
 * sale, so that a return takes back what it had earned, and not a part of somebody else's. Each tier is rounded by itself,
 * as a statement shows it.
 */
function tiered(base: string, tiers: readonly Tier[], currency: string): string {
  const parts = tiers.map(({ up_to, rate }, at) => {
    const from = tiers[at - 1]?.up_to ?? '0';
    const to = up_to === null ? base : lower(base, up_to);
    return compare(to, from) > 0 ? percentOf(subtract(to, from, currency), rate, currency) : '0';
  });
  return sum(parts, currency);
}

function variable({ rate, tiers }: Terms, base: string, currency: string): string {
  if (compare(base, '0') <= 0) return '0';
  if (tiers) return tiered(base, tiers, currency);
  return rate === null ? '0' : percentOf(base, rate, currency);
}

/**
 * The commission of a sale as it stands. A commission is never moved by the size of a return or a payment: it is computed
 * anew of what remains and what is paid, and the difference to the result before is booked. So the steps add up to
 * the whole exactly, however a return or a payment is split.
 * Chosen: rates, tiers and `max` are of what remains, as if only that had been sold (G21: 7 000 less 1 000 takes back 5 % of
 * 1 000, not a seventh). A fixed amount and `min` have no base: they stay in proportion to what remains.
 * Under a plan that pays with the payment, the whole commission is earned in proportion to the payments.
 */
export function earnedOf(terms: Terms, { total, remaining, collected, base, currency }: Sale): Earned {
  const nothing = sum([], currency);
  if (isZero(remaining)) return { base: nothing, amount: nothing };
  const kept = (amount: string | null) =>
    amount === null ? '0' : portion(amount, { whole: total, before: '0', now: remaining }, currency);
  const reckoned = sum([variable(terms, base, currency), kept(terms.fixed_amount)], currency);
  const raised = higher(reckoned, kept(terms.min));
  const whole = sum([terms.max === null ? raised : lower(raised, terms.max)], currency);
  if (terms.trigger === 'posting') return { base: sum([base], currency), amount: whole };
  const paid = (amount: string) => portion(amount, { whole: remaining, before: '0', now: collected }, currency);
  return { base: paid(base), amount: paid(whole) };
}

/** A plan with the days that it counts for. */
export type Plan = Terms & { valid_from: string | null; valid_to: string | null };

/** The fields of each type of plan; a hybrid one has a rate or tiers. */
const PARTS = {
  percent: { needs: ['rate'], has: ['rate'] },
  fixed: { needs: ['fixed_amount'], has: ['fixed_amount'] },
  tiered: { needs: ['tiers'], has: ['tiers'] },
  hybrid: { needs: ['fixed_amount'], has: ['fixed_amount', 'rate', 'tiers'] },
} as const;

function assertParts(plan: Plan): void {
  const { needs, has } = PARTS[plan.type];
  const lacking = needs.find((part) => plan[part] === null);
  if (lacking) throw invalid(lacking, `A plan of the type ${plan.type} needs this.`);
  const needless = (['rate', 'fixed_amount', 'tiers'] as const).find(
    (part) => plan[part] !== null && !(has as readonly string[]).includes(part),
  );
  if (needless) throw invalid(needless, `A plan of the type ${plan.type} does not have this.`);
  if (plan.type === 'hybrid' && (plan.rate === null) === (plan.tiers === null))
    throw invalid('rate', 'Enter either a rate or tiers in addition to the fixed amount.');
}

function assertTiers({ tiers }: Plan, currency: string): void {
  let from = '0';
  for (const [at, { up_to }] of (tiers ?? []).entries()) {
    const field = `tiers.${at}.up_to`;
    if (up_to === null && at < tiers!.length - 1)
      throw invalid(field, 'Only the last tier can be without an upper limit.');
    if (up_to === null) return;
    assertExact(up_to, currency, field);
    if (compare(up_to, from) <= 0) throw invalid(field, 'A tier ends after it begins.');
    from = up_to;
  }
}

/** @throws a 422 that names the field */
export function assertPlan(plan: Plan, currency: string): void {
  assertParts(plan);
  assertTiers(plan, currency);
  for (const field of ['fixed_amount', 'min', 'max'] as const) {
    const amount = plan[field];
    if (amount !== null) assertExact(amount, currency, field);
  }
  if (plan.min !== null && plan.max !== null && compare(plan.min, plan.max) > 0)
    throw invalid('max', 'The maximum must not be less than the minimum.');
  if (plan.valid_from && plan.valid_to && plan.valid_from >= plan.valid_to)
    throw invalid('valid_to', 'This is not after the first day.');
}
