/** Validation and storage of commission plans. Sales keep the plan that they were posted with. */
import { change, find, remove, sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { assertUnused } from '@suite/chassis/lists';
import { booksOf } from '../../ledger/books/books.ts';
import { Prisma } from '../../generated/client.ts';
import type { Db } from '../../operations.ts';
import { assertPlan, type CommissionPlanTerms } from './plan.rules.ts';
import type { CommissionPlanChanges, CommissionPlanInput } from './plan.schema.ts';

const columns = ({
  tiers,
  valid_from,
  valid_to,
  ...plain
}: CommissionPlanTerms & { name?: string; active?: boolean }) => ({
  ...plain,
  tiers: tiers ?? Prisma.DbNull,
  valid_from: midnight(valid_from),
  valid_to: midnight(valid_to),
});

const NOTHING = { rate: null, fixed_amount: null, tiers: null, min: null, max: null, valid_from: null, valid_to: null };

/** Removes the undefined values of a request body. */
const withoutUndefined = <T extends object>(body: T): Partial<T> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Partial<T>;

export async function createPlan(db: Db, input: CommissionPlanInput, caller: Caller): Promise<string> {
  const { base_currency } = await booksOf(db, caller);
  const plan = { ...NOTHING, ...withoutUndefined(input) } as CommissionPlanTerms & { name: string };
  assertPlan(plan, base_currency);
  const { id } = await db.commissionPlan.create({ data: columns(plan) as never });
  return id;
}

/** Updates a plan for future sales. @throws NotFound, Stale, a 422 that names the field */
export async function changePlan(
  db: Db,
  id: string,
  { version: _, ...patch }: CommissionPlanChanges,
  caller: Caller,
  expect: number | undefined,
): Promise<void> {
  const { base_currency } = await booksOf(db, caller);
  const [before] = await db.rows<CommissionPlanTerms>(sql`
    SELECT type, base, trigger, trim_scale(rate)::text AS rate, fixed_amount, tiers, min, max, valid_from, valid_to
    FROM commission_plans WHERE id = ${id}::uuid FOR UPDATE`);
  if (!before) throw NotFound();
  const plan = { ...before, ...withoutUndefined(patch) } as CommissionPlanTerms;
  assertPlan(plan, base_currency);
  await change(db.commissionPlan, id, columns(plan) as never, expect);
}

/** Deletes a plan without agents and sales. @throws InUse */
export async function removePlan(db: Db, id: string): Promise<{ id: string }> {
  await find(db.commissionPlan, id);
  await assertUnused(async () => {
    const [references] = await db.rows<{ agents: number; sales: number }>(sql`
      SELECT (SELECT count(*)::int FROM agents WHERE plan_id = ${id}::uuid) AS agents,
        (SELECT count(*)::int FROM commission_terms WHERE plan_id = ${id}::uuid) AS sales`);
    return references!;
  });
  return await remove(db.commissionPlan, id);
}

/** View of plans. */
export const planView = { table: 'commission_plans' };
