/** Creation, update and deletion of leads, with their rules. */
import { randomUUIDv7 } from 'node:crypto';
import { asCaller, assertVersion, change, find, remove } from '@suite/chassis/database';
import { AlreadyExists, assertNoVersion, Forbidden, InUse, invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { insertOne } from '@suite/chassis/lists';
import { clock } from '@suite/chassis/runtime';
import { exactAmount } from '@suite/document-lines';
import { LeadCreated } from '@suite/proto/crm/v1/events';
import { assertCardOpen } from '../pipeline/board/board.ts';
import { lockCard, lockReferencedCard, lockStage } from '../pipeline/board/locks.ts';
import { moveIfRequested, moveCard, recordFirstStage, outcomeColumns, findFirstStage } from '../pipeline/board/move.ts';
import { serializeOn } from '../pipeline/board/order.ts';
import { assign, reassign } from '../pipeline/board/members.ts';
import { addActivity } from '../pipeline/board/timeline.ts';
import type { Db, CommandContext } from '../operations.ts';
import { NoPipeline } from '../pipeline/pipelines/pipeline.ts';
import { upsertUserCopies, type PlatformUser, userOf } from '@suite/user-copies';
import { leadBoard } from '../pipeline/board/lead-board.ts';
import {
  type LeadChanges,
  LeadColumns,
  type LeadInput,
  type LeadMove,
  type LeadRow,
  type LeadSave,
} from './lead.schema.ts';

/** Origin of a lead that no user has entered, with the visitor's consent. JSON columns. */
export interface LeadOrigin {
  origin: 'widget';
  consent: string | null;
  attribution: string;
}

/**
 * Creates a lead.
 * @param people the users in the request, as platform returned them
 * @param from the origin of the lead, unless it was created manually
 */
export async function createLead(
  context: CommandContext,
  input: LeadInput,
  people: readonly PlatformUser[],
  from?: LeadOrigin,
): Promise<LeadRow> {
  const { db, caller, emit } = context;
  const { label_ids, source_ids, user_ids, pipeline_id, stage_id, lost_reason, ...columns } = input;
  // Chosen: a lead without a person's name is named after its company or its address, so that every lead has a name.
  const name = columns.name ?? columns.company ?? columns.email;
  if (!name) throw invalid('name', 'Enter at least a name, a company or an e-mail address.');
  const stage = await findFirstStage(db, leadBoard, { pipeline_id, stage_id });
  if (!stage) throw NoPipeline();
  await upsertUserCopies(db, [userOf(caller), ...people]);
  const id = randomUUIDv7();
  const lead = await insertOne(db, 'leads', LeadColumns, {
    id,
    ...columns,
    name,
    expected_value: columns.expected_value && exactAmount(columns.expected_value, caller.currency, 'expected_value'),
    owner_id: columns.owner_id ?? caller.user_id,
    origin: caller.api_key_id ? 'api' : 'manual',
    ...from,
    pipeline_id: stage.pipeline_id,
    stage_id: stage.id,
    ...outcomeColumns(leadBoard, stage, { lost_reason }),
  });
  await recordFirstStage(db, leadBoard, { id, name }, stage);
  const { owner_id, origin } = lead;
  await assign(db, 'lead', lead, { label_ids, source_ids, user_ids });
  emit(LeadCreated, { lead_id: id, name, pipeline_id: stage.pipeline_id, stage_id: stage.id, owner_id, origin });
  return lead;
}

/** Updates a lead, and moves it if the request has a stage. Only notes can be added to a converted lead. */
export async function updateLead(
  context: CommandContext,
  id: string,
  { version: _, ...input }: LeadChanges,
  { expect, people }: { expect: number | undefined; people: readonly PlatformUser[] },
): Promise<LeadRow> {
  const { db, caller } = context;
  const { label_ids, source_ids, user_ids, pipeline_id, stage_id, lost_reason, ...columns } = input;
  const stage = stage_id ? await lockStage(db, leadBoard, stage_id) : undefined;
  const lead = await lockCard(db, leadBoard, id);
  assertVersion(lead, expect);
  if (Object.keys(input).some((field) => field !== 'notes')) assertCardOpen(leadBoard, lead);
  await upsertUserCopies(db, people);
  await moveIfRequested(context, leadBoard, lead, stage, { pipeline_id, stage_id, lost_reason });
  const fields = Object.keys(columns);
  if (fields.length > 0) {
    const next_follow_up = midnight(columns.next_follow_up);
    const expected_value =
      columns.expected_value && exactAmount(columns.expected_value, caller.currency, 'expected_value');
    await change(db.lead, id, { ...columns, expected_value, next_follow_up, last_activity_at: clock.now() });
    await addActivity(db, { lead_id: id }, 'updated', { fields });
  }
  await reassign(db, 'lead', { id, pipeline_id: pipeline_id ?? lead.pipeline_id }, { label_ids, source_ids, user_ids });
  return (await find(db.lead, id)) as LeadRow;
}

/** Moves a lead on the board. */
export async function moveLead(
  context: CommandContext,
  { lead_id, stage_id, ...place }: LeadMove,
  expect: number | undefined,
) {
  const { db } = context;
  const stage = await lockStage(db, leadBoard, stage_id);
  const lead = await lockReferencedCard(db, leadBoard, lead_id);
  assertVersion(lead, expect);
  assertCardOpen(leadBoard, lead);
  // Chosen: a move stays within the board. Changing the pipeline is an update of the lead.
  if (stage?.pipeline_id !== lead.pipeline_id) throw invalid('stage_id', 'Stage not found in this pipeline.');
  await moveCard(context, leadBoard, lead, stage, place);
}

/**
 * Returns the lead with this external ID.
 * @throws AlreadyExists if the caller may not see the lead: external IDs are unique, and nothing about the lead is
 * revealed
 */
async function findByExternalId(db: Db, external_id: string): Promise<string | undefined> {
  const lead = () => db.lead.findFirst({ where: { external_id }, select: { id: true } });
  const known = await lead();
  if (known && !(await asCaller(lead))) throw AlreadyExists({ external_id });
  return known?.id;
}

/** Updates the lead with the given ID or external ID. Creates a lead if there is none with the external ID. */
export async function saveLead(
  context: CommandContext,
  { id, external_id, version: _, ...fields }: LeadSave,
  options: { expect: number | undefined; people: readonly PlatformUser[] },
): Promise<{ created: boolean; record: LeadRow }> {
  const { db } = context;
  if (id && external_id) throw invalid('external_id', 'Enter either of the two IDs, not both.');
  // Serializes concurrent saves of one lead, so that the later one finds it.
  if (external_id) await serializeOn(db, `lead ${external_id}`);
  const known = external_id ? await findByExternalId(db, external_id) : undefined;
  const lead_id = id ?? known;
  const permission = lead_id ? 'lead.update' : 'lead.create';
  if (!context.caller.permissions.includes(permission)) throw Forbidden({ permission });
  if (lead_id) return { created: false, record: await updateLead(context, lead_id, fields, options) };
  assertNoVersion(options.expect);
  return { created: true, record: await createLead(context, { ...fields, external_id }, options.people) };
}

/** Deletes a lead with its tasks, calls, notes, e-mails and files. @throws InUse if it was converted to a deal */
export async function removeLead(db: Db, id: string): Promise<{ id: string }> {
  const { status } = await lockCard(db, leadBoard, id);
  if (status === 'converted') {
    const { converted_deal_id: deal_id } = await find(db.lead, id);
    const seen = deal_id && (await asCaller(() => db.deal.findFirst({ where: { id: deal_id }, select: { id: true } })));
    throw InUse(seen ? { deal_id } : undefined);
  }
  return await remove(db.lead, id);
}
