/** Commission plans: what may be said in one, and how one is kept. Sales keep the plan that they were posted under. */
import { type Caller, change, find, invalid, NotFound, remove, sql } from '@suite/chassis';
import { compare } from '@suite/money';
import { booksOf } from '../books/books.ts';
import { Prisma } from '../generated/client.ts';
import { assertAmount } from '../ledger/amount.rules.ts';
import type { Db } from '../operations.ts';
import { assertUnused } from '../unused.ts';
import type { CommissionPlanChanges, CommissionPlanInput } from './plan.schema.ts';
import type { Terms } from './plan.rules.ts';

/** A plan with the days that it counts for. */
type Plan = Terms & { valid_from: string | null; valid_to: string | null };

/** What each type of plan is made of; a hybrid one has a rate or tiers. */
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
    throw invalid('rate', 'Beside the fixed amount name either a rate or tiers.');
}

function assertTiers({ tiers }: Plan, currency: string): void {
  let from = '0';
  for (const [at, { up_to }] of (tiers ?? []).entries()) {
    const field = `tiers.${at}.up_to`;
    if (up_to === null && at < tiers!.length - 1) throw invalid(field, 'Only the last tier has no end.');
    if (up_to === null) return;
    assertAmount(up_to, currency, field);
    if (compare(up_to, from) <= 0) throw invalid(field, 'A tier ends after it begins.');
    from = up_to;
  }
}

/** @throws a 422 that names the field */
function assertPlan(plan: Plan, currency: string): void {
  assertParts(plan);
  assertTiers(plan, currency);
  for (const field of ['fixed_amount', 'min', 'max'] as const) {
    const amount = plan[field];
    if (amount !== null) assertAmount(amount, currency, field);
  }
  if (plan.min !== null && plan.max !== null && compare(plan.min, plan.max) > 0)
    throw invalid('max', 'This is less than the least that a sale earns.');
  if (plan.valid_from && plan.valid_to && plan.valid_from >= plan.valid_to)
    throw invalid('valid_to', 'This is not after the first day.');
}

const midnight = (day: string | null) => day && `${day}T00:00:00Z`;

const columns = ({ tiers, valid_from, valid_to, ...plain }: Plan & { name?: string; active?: boolean }) => ({
  ...plain,
  tiers: tiers ?? Prisma.DbNull,
  ...{ valid_from: midnight(valid_from), valid_to: midnight(valid_to) },
});

const NOTHING = { rate: null, fixed_amount: null, tiers: null, min: null, max: null, valid_from: null, valid_to: null };

/** Without what a body does not say. */
const said = <T extends object>(body: T): Partial<T> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Partial<T>;

export async function createPlan(db: Db, input: CommissionPlanInput, caller: Caller): Promise<string> {
  const { base_currency } = await booksOf(db, caller);
  const plan = { ...NOTHING, ...said(input) } as Plan & { name: string };
  assertPlan(plan, base_currency);
  const { id } = await db.commissionPlan.create({ data: columns(plan) as never });
  return id;
}

/** Changes a plan for the sales to come. @throws NotFound, Stale, a 422 that names the field */
export async function changePlan(
  db: Db,
  id: string,
  { version: _, ...patch }: CommissionPlanChanges,
  caller: Caller,
  expect: number | undefined,
): Promise<void> {
  const { base_currency } = await booksOf(db, caller);
  const [before] = await db.rows<Plan>(sql`
    SELECT type, base, trigger, trim_scale(rate)::text AS rate, fixed_amount, tiers, min, max, valid_from, valid_to
    FROM commission_plans WHERE id = ${id}::uuid FOR UPDATE`);
  if (!before) throw NotFound();
  const plan = { ...before, ...said(patch) } as Plan;
  assertPlan(plan, base_currency);
  await change(db.commissionPlan, id, columns(plan) as never, expect);
}

/** Deletes a plan that nobody has and nothing was sold under. @throws InUse */
export async function removePlan(db: Db, id: string): Promise<{ id: string }> {
  await find(db.commissionPlan, id);
  const [held] = await db.rows<{ agents: number; sales: number }>(sql`
    SELECT (SELECT count(*)::int FROM agents WHERE plan_id = ${id}::uuid) AS agents,
      (SELECT count(*)::int FROM commission_terms WHERE plan_id = ${id}::uuid) AS sales`);
  assertUnused(held!);
  return await remove(db.commissionPlan, id);
}

/** How plans are read. */
export const planView = { table: 'commission_plans' };
