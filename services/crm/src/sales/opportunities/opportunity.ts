/** Creation, update and deletion of opportunities. */
import { assertVersion, change, find, remove, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { clock } from '@suite/chassis/runtime';
import { moveTo } from '@suite/chassis/operations';
import { exactAmount } from '@suite/document-lines';
import type { Customer } from '@suite/proto/finance/v1/finance';
import { customerCopies } from '../../copies.ts';
import type { Db, CommandContext } from '../../operations.ts';
import { upsertUserCopies, type PlatformUser, userOf } from '@suite/user-copies';
import type { OpportunityChanges, OpportunityInput } from './opportunity.schema.ts';
import { type OpportunityRow, readOpportunity } from './opportunity.view.ts';
import {
  assertProbability,
  isClosed,
  type OpportunityStageName,
  opportunityStates,
  DEFAULT_PROBABILITY,
} from './opportunity.rules.ts';

/** Data from other services that a request needs. */
interface OpportunityReferences {
  customer: Customer | undefined;
  people: readonly PlatformUser[];
}

const customerColumns = (customer_id: string | null | undefined, customer: Customer | undefined) =>
  customer_id === undefined ? {} : { customer_id, customer_name: customer?.name ?? null };

async function assertSource(db: Db, source_id: string | null | undefined): Promise<void> {
  if (!source_id) return;
  const [source] = await db.rows(sql`SELECT id FROM sources WHERE id = ${source_id}::uuid FOR KEY SHARE`);
  if (!source) throw invalid('source_id', 'Source not found.');
}

/** Creates an opportunity. Its owner defaults to the caller. */
export async function createOpportunity(
  { db, caller }: CommandContext,
  { customer_id, ...input }: OpportunityInput,
  { customer, people }: OpportunityReferences,
): Promise<OpportunityRow> {
  const {
    stage = 'prospecting',
    probability,
    amount = '0',
    owner_id = caller.user_id,
    expected_close,
    ...columns
  } = input;
  assertProbability(stage, probability);
  await customerCopies.remember(db, customer);
  await assertSource(db, columns.source_id);
  await upsertUserCopies(db, [userOf(caller), ...people]);
  const { id } = await db.opportunity.create({
    data: {
      ...columns,
      ...customerColumns(customer_id, customer),
      stage,
      owner_id,
      probability: probability ?? DEFAULT_PROBABILITY[stage],
      amount: exactAmount(amount, caller.currency, 'amount'),
      expected_close: midnight(expected_close) ?? null,
      closed_at: isClosed(stage) ? clock.now() : null,
    },
  });
  return readOpportunity(db, caller, id);
}

/** Locks an opportunity until the transaction ends. */
const lockOpportunity = (db: Db, id: string) =>
  db.rows(sql`SELECT id FROM opportunities WHERE id = ${id}::uuid FOR NO KEY UPDATE`);

/** Checks that the opportunity exists and the caller can see it. @throws NotFound */
export async function assertOpportunity(db: Db, id: string): Promise<void> {
  await find(db.opportunity, id);
}

/** Updates an opportunity. A `stage` moves it according to the lifecycle. */
export async function updateOpportunity(
  { db, caller }: CommandContext,
  id: string,
  { version: _, customer_id, ...input }: OpportunityChanges,
  { expect, customer, people }: OpportunityReferences & { expect: number | undefined },
): Promise<OpportunityRow> {
  await customerCopies.remember(db, customer);
  await lockOpportunity(db, id);
  const before = await find(db.opportunity, id);
  assertVersion(before, expect);
  const { stage = before.stage as OpportunityStageName, probability, amount, expected_close, ...columns } = input;
  assertProbability(stage, probability);
  await assertSource(db, columns.source_id);
  await upsertUserCopies(db, people);
  if (stage !== before.stage) {
    const closed_at = isClosed(stage) ? clock.now() : null;
    const patch = { closed_at, probability: probability ?? DEFAULT_PROBABILITY[stage] };
    await moveTo(opportunityStates, db.opportunity, before, stage, { patch, caller });
  }
  await change(db.opportunity, id, {
    ...columns,
    ...customerColumns(customer_id, customer),
    ...(probability !== undefined && { probability }),
    ...(amount !== undefined && { amount: exactAmount(amount, caller.currency, 'amount') }),
    ...(expected_close !== undefined && { expected_close: midnight(expected_close) }),
  });
  return readOpportunity(db, caller, id);
}

/** Deletes an opportunity with its meetings. @throws InUse if it has quotes */
export async function removeOpportunity(db: Db, id: string): Promise<{ id: string }> {
  await lockOpportunity(db, id);
  return await remove(db.opportunity, id);
}
