/** Creation and update of widgets, and rotation of their tokens. */
import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import { assertVersion, change, sql } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import { assertInScope } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { type PlatformUser, userOf, upsertUserCopies } from '@suite/user-copies';
import { leadBoard } from '../../pipeline/board/lead-board.ts';
import { findFirstStage } from '../../pipeline/board/move.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { NoPipeline } from '../../pipeline/pipelines/pipeline.ts';
import { assertContrast, assertFields, assertTexts, widgetStates } from './widget.rules.ts';
import type { NewWidget, WidgetChanges, WidgetRow } from './widget.schema.ts';

const HOUR_MS = 3_600_000;

/** Returns the hash that identifies a token. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

async function issueToken(db: Db, widget_id: string): Promise<void> {
  const token = `wgt_${randomBytes(32).toString('base64url')}`;
  const token_id = randomUUIDv7();
  await db.widgetToken.createMany({ data: [{ id: token_id, widget_id, token, token_hash: tokenHash(token) }] });
  // Creates the counter in advance, so that concurrent first visitors find an existing row.
  await db.widgetHits.createMany({ data: [{ token_id, since: clock.now(), hits: 0 }] });
}

/** Returns the pipeline and the stage for the leads of a form. @throws NoPipeline, a 422 that names the field */
async function findStage(
  db: Db,
  input: { pipeline_id?: string | undefined; stage_id?: string | undefined },
): Promise<{ pipeline_id: string; stage_id: string }> {
  const stage = await findFirstStage(db, leadBoard, input);
  if (!stage) throw NoPipeline();
  if (stage.type === 'lost')
    throw invalid('stage_id', 'New leads cannot start in a stage for lost leads. Choose another stage.');
  return { pipeline_id: stage.pipeline_id, stage_id: stage.id };
}

/**
 * Checks that the source and the labels exist, and that the labels fit the pipeline. @throws a 422 that names the field
 */
async function assertSourceAndLabels(
  db: Db,
  { pipeline_id, source_id, label_ids }: Pick<WidgetRow, 'pipeline_id' | 'source_id' | 'label_ids'>,
): Promise<void> {
  const sources = source_id ? await db.rows(sql`SELECT id FROM sources WHERE id = ${source_id}::uuid`) : [source_id];
  if (sources.length === 0) throw invalid('source_id', 'Source not found.');
  const labels = await db.rows(sql`
    SELECT id FROM labels
    WHERE id = ANY(${label_ids}::uuid[]) AND (pipeline_id IS NULL OR pipeline_id = ${pipeline_id}::uuid)`);
  if (labels.length < new Set(label_ids).size) throw invalid('label_ids', 'Label not found on this board.');
}

/** Casts the settings to columns. Prisma accepts JSON unchanged. */
const columnsOf = (settings: Partial<WidgetRow>) => settings as object as Parameters<Db['widget']['create']>[0]['data'];

function assertSettings(settings: Pick<WidgetRow, 'colors' | 'fields' | 'language' | 'texts'>): void {
  assertFields(settings.fields);
  assertTexts(settings);
  assertContrast(settings.colors);
}

/** Creates a widget with its first token. @throws NoPipeline, ContrastTooLow, a 422 that names the field */
export async function createWidget(
  { db, caller }: CommandContext,
  { pipeline_id, stage_id, owner_id = caller.user_id, source_id = null, label_ids = [], ...settings }: NewWidget,
  people: readonly PlatformUser[],
): Promise<string> {
  assertSettings(settings);
  const place = await findStage(db, { pipeline_id, stage_id });
  await assertSourceAndLabels(db, { ...place, source_id, label_ids });
  await upsertUserCopies(db, [userOf(caller), ...people]);
  const id = randomUUIDv7();
  await db.widget.createMany({ data: [columnsOf({ id, ...settings, ...place, owner_id, source_id, label_ids })] });
  await db.widgetCount.createMany({ data: [{ widget_id: id }] });
  await issueToken(db, id);
  return id;
}

/** Locks a widget whose status allows the action. @throws NotFound, InvalidTransition */
async function lockWidget({ db, caller }: CommandContext, id: string, action: 'update' | 'rotate'): Promise<WidgetRow> {
  const [widget] = await db.rows<WidgetRow>(sql`SELECT * FROM widgets WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  if (!widget) throw NotFound();
  widgetStates.assertFits(action, widget, caller);
  return widget;
}

/**
 * Updates a widget. Forms that are open in a browser must be reloaded, because they show the old settings.
 * @throws NotFound, Forbidden, InvalidTransition, Stale, ContrastTooLow, NoPipeline, a 422 that names the field
 */
export async function changeWidget(
  context: CommandContext,
  id: string,
  { version: _, pipeline_id, stage_id, ...input }: WidgetChanges,
  { expect, people }: { expect: number | undefined; people: readonly PlatformUser[] },
): Promise<void> {
  const { db } = context;
  const widget = await lockWidget(context, id, 'update');
  assertVersion(widget, expect);
  // The owner receives the leads of the form, and sees them with the record scope own.
  const { owner_id = widget.owner_id } = input;
  if (owner_id !== widget.owner_id) assertInScope(context.caller, 'lead', widget.owner_id);
  assertSettings({ ...widget, ...input });
  const moves = pipeline_id !== undefined || stage_id !== undefined;
  const place = moves ? await findStage(db, { pipeline_id, stage_id }) : {};
  // Checks only the source and labels of the request. Stored ones may have been deleted.
  const { source_id = null, label_ids = [] } = input;
  await assertSourceAndLabels(db, { ...widget, ...place, source_id, label_ids });
  await upsertUserCopies(db, people);
  await change(db.widget, id, { ...columnsOf({ ...input, ...place }), form_version: { increment: 1 } });
}

/** Issues another token for a widget. Previous tokens expire after the overlap. @throws NotFound, InvalidTransition */
export async function rotateToken(context: CommandContext, id: string, overlap_hours: number): Promise<void> {
  await lockWidget(context, id, 'rotate');
  const ends = new Date(clock.now().getTime() + overlap_hours * HOUR_MS);
  await context.db.rows(sql`
    UPDATE widget_tokens SET expires_at = ${ends}::timestamptz
    WHERE widget_id = ${id}::uuid AND (expires_at IS NULL OR expires_at > ${ends}::timestamptz)`);
  // Increases the version, because the token has changed.
  await context.db.rows(sql`UPDATE widgets SET name = name WHERE id = ${id}::uuid`);
  await issueToken(context.db, id);
}

/** Disables a form on all pages permanently. Repeating the request changes nothing. @throws NotFound */
export async function revokeWidget({ db, caller }: CommandContext, id: string): Promise<void> {
  await widgetStates.move(db.widget, id, 'revoke', { revoked_at: clock.now() }, caller);
}
