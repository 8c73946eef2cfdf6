/** Creation, update and deletion of deals, with their rules. */
import { asCaller, assertVersion, change, find, remove } from '@suite/chassis/database';
import { InUse } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { clock } from '@suite/chassis/runtime';
import { exactAmount } from '@suite/document-lines';
import { DealCreated } from '@suite/proto/crm/v1/events';
import { lockCard, lockStage } from '../pipeline/board/locks.ts';
import { moveIfRequested, recordFirstStage, outcomeColumns, findFirstStage } from '../pipeline/board/move.ts';
import { assign, reassign } from '../pipeline/board/members.ts';
import { addActivity } from '../pipeline/board/timeline.ts';
import { roundTo } from '@suite/money';
import type { Customer } from '@suite/proto/finance/v1/finance';
import { customerCopies } from '../copies.ts';
import type { Db, CommandContext } from '../operations.ts';
import { NoPipeline } from '../pipeline/pipelines/pipeline.ts';
import { upsertUserCopies, type PlatformUser, userOf } from '@suite/user-copies';
import { dealBoard } from '../pipeline/board/deal-board.ts';
import type { DealChanges, DealInput } from './deal.schema.ts';

/** Users and customer in a request body, as returned by their services. */
export interface DealReferences {
  people: readonly PlatformUser[];
  customer?: Customer | undefined;
}

/**
 * Creates a deal and adds its creator to the users who work on the deal. Returns the ID.
 * @param known the users and the customer that the deal names
 * @param origin the ID that a conversion has reserved, and the lead that the deal comes from
 */
export async function createDeal(
  context: CommandContext,
  input: DealInput,
  { people, customer }: DealReferences,
  origin: { id?: string; lead_id?: string } = {},
): Promise<string> {
  const { db, caller, emit } = context;
  const { label_ids, source_ids, user_ids = [], client_ids, pipeline_id, stage_id, lost_reason, ...columns } = input;
  await customerCopies.remember(db, customer);
  const stage = await findFirstStage(db, dealBoard, { pipeline_id, stage_id });
  if (!stage) throw NoPipeline();
  await upsertUserCopies(db, [userOf(caller), ...people]);
  const { currency = caller.currency } = columns;
  const result = outcomeColumns(dealBoard, stage, { lost_reason });
  const deal = await db.deal.create({
    data: {
      ...columns,
      ...origin,
      ...result,
      customer_name: customer?.name ?? null,
      currency,
      price: exactAmount(columns.price, currency, 'price'),
      expected_close: midnight(columns.expected_close),
      pipeline_id: stage.pipeline_id,
      stage_id: stage.id,
      closed_at: result.status === 'open' ? null : clock.now(),
    },
  });
  const { id, name } = deal;
  // Chosen: a deal has no owner. Its creator is added to its users, and therefore sees it with the record scope "own".
  const workers = [...new Set([...user_ids, caller.user_id])];
  await assign(db, 'deal', deal, { label_ids, source_ids, user_ids: workers, client_ids });
  await recordFirstStage(db, dealBoard, deal, stage);
  const price = deal.price.toFixed();
  emit(DealCreated, { deal_id: id, name, pipeline_id: stage.pipeline_id, stage_id: stage.id, price, currency });
  if (result.status !== 'open') await dealBoard.announceOutcome(db, emit, id, result.status, lost_reason);
  return id;
}

/** Updates a deal, and moves it if the request has a stage. */
export async function updateDeal(
  context: CommandContext,
  id: string,
  { version: _, ...input }: DealChanges,
  { expect, people, customer }: DealReferences & { expect: number | undefined },
): Promise<void> {
  const { db } = context;
  const { label_ids, source_ids, user_ids, client_ids, pipeline_id, stage_id, lost_reason, ...columns } = input;
  await customerCopies.remember(db, customer);
  const stage = stage_id ? await lockStage(db, dealBoard, stage_id) : undefined;
  const deal = await lockCard(db, dealBoard, id);
  assertVersion(deal, expect);
  await upsertUserCopies(db, people);
  const fields = Object.keys(columns);
  if (fields.length > 0) {
    const amount = await amountOf(db, id, columns);
    const expected_close = midnight(columns.expected_close);
    const named = columns.customer_id === undefined ? {} : { customer_name: customer?.name ?? null };
    await change(db.deal, id, { ...columns, ...named, ...amount, expected_close, last_activity_at: clock.now() });
    await addActivity(db, { deal_id: id }, 'updated', { fields });
  }
  await moveIfRequested(context, dealBoard, deal, stage, { pipeline_id, stage_id, lost_reason });
  const place = { id, pipeline_id: pipeline_id ?? deal.pipeline_id };
  await reassign(db, 'deal', place, { label_ids, source_ids, user_ids, client_ids });
}

/** Returns the price rounded to the currency's minor unit, if price or currency changes. */
async function amountOf(db: Db, id: string, columns: { price?: string | undefined; currency?: string | undefined }) {
  if (columns.price === undefined && columns.currency === undefined) return {};
  const before = await find(db.deal, id);
  const currency = columns.currency ?? before.currency;
  // The existing price is rounded to the new currency if the request has no price.
  const price =
    columns.price === undefined
      ? roundTo(before.price.toFixed(), currency)
      : exactAmount(columns.price, currency, 'price');
  return { currency, price };
}

/** Deletes a deal with its tasks, calls, notes, e-mails and files. @throws InUse if a lead was converted to the deal */
export async function removeDeal(db: Db, id: string): Promise<{ id: string }> {
  await lockCard(db, dealBoard, id);
  const { lead_id } = await find(db.deal, id);
  if (lead_id) {
    const seen = await asCaller(() => db.lead.findFirst({ where: { id: lead_id }, select: { id: true } }));
    throw InUse(seen ? { lead_id } : undefined);
  }
  return await remove(db.deal, id);
}
