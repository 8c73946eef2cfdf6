/** What a lead may do, and what must be true of it. */
import {
  type Caller,
  type Emit,
  change,
  clock,
  fault,
  find,
  InUse,
  invalid,
  lifecycle,
  NotFound,
  remove,
  sql,
} from '@suite/chassis';
import { LeadCreated, LeadLost, LeadStageChanged } from '@suite/proto/crm/v1/events';
import { type Stage, stageForNew } from '../board/board.ts';
import { lockStage, recordStageChange } from '../board/move.ts';
import { rankAt } from '../board/rank.ts';
import { assign, dropForeignLabels, reassign } from '../dossier/members.ts';
import { midnight } from '../day.ts';
import { tell } from '../dossier/timeline.ts';
import type { Db } from '../operations.ts';
import { NoPipeline } from '../pipelines/pipeline.ts';
import { keepCopies, type Person, personOf } from '../users/user.ts';
import { assertSeen } from '../version.ts';
import { leadBoard, visibleLeads } from './lead-board.ts';
import type { LeadChanges, LeadInput, LeadRow } from './lead.schema.ts';

export const LeadIsConverted = fault(
  409,
  'lead_is_converted',
  'This lead became a deal. Only notes can still be added to it.',
);

export const leadStates = lifecycle('lead', {
  open: { lose: 'lost', convert: 'converted' },
  lost: { reopen: 'open' },
  converted: {},
});

/** What a rule works with. */
export interface Work {
  db: Db;
  caller: Caller;
  emit: Emit;
}

export interface LockedLead {
  id: string;
  pipeline_id: string;
  stage_id: string;
  status: 'open' | 'lost' | 'converted';
  converted_deal_id: string | null;
  version: number;
}

/** Holds a lead until the transaction ends. @throws NotFound also when the caller may not see it */
export async function lockLead(db: Db, caller: Caller, id: string): Promise<LockedLead> {
  const [lead] = await db.rows<LockedLead>(sql`
    SELECT id, pipeline_id, stage_id, status, converted_deal_id, version FROM leads
    WHERE id = ${id}::uuid AND ${visibleLeads(caller)} FOR NO KEY UPDATE`);
  if (!lead) throw NotFound();
  return lead;
}

/** Makes a lead; `people` are the users that it names, as platform knows them. */
export async function createLead(
  { db, caller, emit }: Work,
  input: LeadInput,
  people: readonly Person[],
): Promise<LeadRow> {
  const { label_ids = [], source_ids = [], user_ids = [], pipeline_id, stage_id, lost_reason, ...columns } = input;
  const stage = await stageForNew(db, leadBoard, { pipeline_id, stage_id });
  if (!stage) throw NoPipeline();
  await keepCopies(db, [personOf(caller), ...people]);
  const lead = await db.lead.create({
    data: {
      ...columns,
      // Chosen: a lead without a person's name is called by its company or its address, so that every lead has a name.
      name: (columns.name ?? columns.company ?? columns.email) as string,
      owner_id: columns.owner_id ?? caller.user_id,
      origin: caller.api_key_id ? 'api' : 'manual',
      next_follow_up: midnight(columns.next_follow_up),
      pipeline_id: stage.pipeline_id,
      stage_id: stage.id,
      ...outcome(stage, lost_reason),
    },
  });
  const { id } = lead;
  await assign(db, { kind: 'lead', id, member: 'label', pipeline_id: stage.pipeline_id }, label_ids);
  await assign(db, { kind: 'lead', id, member: 'source' }, source_ids);
  await assign(db, { kind: 'lead', id, member: 'user' }, user_ids);
  await tell(db, { lead_id: id }, 'created', { name: lead.name, stage: stage.name });
  const { name, owner_id, origin } = lead;
  emit(LeadCreated, { lead_id: id, name, pipeline_id: stage.pipeline_id, stage_id: stage.id, owner_id, origin });
  return lead as LeadRow;
}

/** What a stage makes of a new lead. @throws a 422 when it would be lost without a reason, or open with one */
function outcome(stage: Stage, lost_reason: string | undefined): { status: string; lost_reason: string | null } {
  const status = leadBoard.outcomeOf(stage.type);
  if (status === 'lost' && !lost_reason) throw invalid('lost_reason', 'Say why the lead was lost.');
  if (status !== 'lost' && lost_reason) throw invalid('lost_reason', 'Only a lost lead has a reason.');
  return { status, lost_reason: lost_reason ?? null };
}

/** Changes a lead, and moves it when a stage is named. A converted lead only takes notes. */
export async function updateLead(
  work: Work,
  id: string,
  { version: _, ...input }: LeadChanges,
  { expect, people }: { expect: number | undefined; people: readonly Person[] },
): Promise<LeadRow> {
  const { db, caller } = work;
  const { label_ids, source_ids, user_ids, pipeline_id, stage_id, lost_reason, ...columns } = input;
  const stage = stage_id ? await lockStage(db, leadBoard, stage_id) : undefined;
  const lead = await lockLead(db, caller, id);
  assertSeen(lead, expect);
  if (lead.status === 'converted' && Object.keys(input).some((field) => field !== 'notes')) throw LeadIsConverted();
  await keepCopies(db, people);
  const moves = (stage_id ?? lead.stage_id) !== lead.stage_id || (pipeline_id ?? lead.pipeline_id) !== lead.pipeline_id;
  if (moves) await moveLead(work, lead, targetOf(lead, stage, input), { lost_reason });
  else if (lost_reason) await correctReason(db, lead, lost_reason);
  const fields = Object.keys(columns);
  if (fields.length > 0) {
    const { next_follow_up, ...others } = columns;
    const follow_up = next_follow_up !== undefined && { next_follow_up: midnight(next_follow_up) };
    await change(db.lead, id, { ...others, ...follow_up, last_activity_at: clock.now() });
    await tell(db, { lead_id: id }, 'updated', { fields });
  }
  const current = stage?.pipeline_id ?? lead.pipeline_id;
  if (label_ids) await reassign(db, { kind: 'lead', id, member: 'label', pipeline_id: current }, label_ids);
  if (source_ids) await reassign(db, { kind: 'lead', id, member: 'source' }, source_ids);
  if (user_ids) await reassign(db, { kind: 'lead', id, member: 'user' }, user_ids);
  return (await find(db.lead, id)) as LeadRow;
}

/** The stage that a change names. A lead changes its pipeline only together with a stage of the new one. */
function targetOf(
  lead: LockedLead,
  stage: Stage | undefined,
  { pipeline_id = lead.pipeline_id, stage_id }: { pipeline_id?: string | undefined; stage_id?: string | undefined },
): Stage {
  if (!stage_id) throw invalid('stage_id', 'Choose a stage of the pipeline.');
  if (!stage) throw invalid('stage_id', 'There is no such stage.');
  if (stage.pipeline_id !== pipeline_id) throw invalid('stage_id', 'The pipeline has no such stage.');
  return stage;
}

async function correctReason(db: Db, lead: LockedLead, lost_reason: string): Promise<void> {
  if (lead.status !== 'lost') throw invalid('lost_reason', 'Only a lost lead has a reason.');
  await change(db.lead, lead.id, { lost_reason });
}

/**
 * Puts a lead into a stage, on top or at a position of the column. A stage of the type `lost` makes it lost, every other
 * one open again. The stage and the lead must be locked.
 */
export async function moveLead(
  { db, caller, emit }: Work,
  lead: LockedLead,
  stage: Stage,
  { position, lost_reason }: { position?: number | undefined; lost_reason?: string | undefined },
): Promise<void> {
  const { id, stage_id: from } = lead;
  if (lead.status === 'converted') throw LeadIsConverted();
  const arrives = stage.id !== from;
  if (!arrives && position === undefined) return;
  const place = { stage_id: stage.id, card_id: id, position: position ?? 0 };
  const now = clock.now();
  const patch = { rank: await rankAt(db, leadBoard, caller, place), last_activity_at: now };
  if (!arrives) return void (await change(db.lead, id, patch));

  await recordStageChange(db, leadBoard, [id], stage);
  const arrival = { ...patch, pipeline_id: stage.pipeline_id, stage_id: stage.id, stage_since: now };
  const stays = lead.status === leadBoard.outcomeOf(stage.type);
  const result = stays && !lost_reason ? {} : outcome(stage, lost_reason);
  if (stays) await change(db.lead, id, { ...arrival, ...result });
  else await leadStates.move(db.lead, id, stage.type === 'lost' ? 'lose' : 'reopen', { ...arrival, ...result });
  if (stage.pipeline_id !== lead.pipeline_id) await dropForeignLabels(db, 'lead', id, stage.pipeline_id);

  const activity = stays ? 'moved' : stage.type === 'lost' ? 'lost' : 'reopened';
  await tell(db, { lead_id: id }, activity, {
    from_stage_id: from,
    to_stage_id: stage.id,
    stage: stage.name,
    ...result,
  });
  emit(LeadStageChanged, { lead_id: id, from_stage_id: from, to_stage_id: stage.id });
  if (activity === 'lost') emit(LeadLost, { lead_id: id, reason: lost_reason as string });
}

/** Deletes a lead with all that was gathered about it. @throws InUse when a deal came from it */
export async function removeLead(db: Db, caller: Caller, id: string): Promise<{ id: string }> {
  const lead = await lockLead(db, caller, id);
  if (lead.status === 'converted') throw InUse({ deal_id: lead.converted_deal_id });
  return await remove(db.lead, id);
}
