/** Publishes notices: shown to their audience from the first day, acknowledged if required, and announced by e-mail. */
import { assertVersion, raw, sql } from '@suite/chassis/database';
import { InUse, NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { DocumentPublished } from '@suite/proto/hr/v1/events';
import { syncAcknowledgments, acknowledgmentDay } from '../acknowledgments/acknowledgment.ts';
import type { AudienceInput } from '../../organisation/audiences/audience.schema.ts';
import {
  assertAudience,
  audienceIds,
  NOTICES,
  type NoticeKind,
  writeParts,
} from '../../organisation/audiences/audience.ts';
import { audienceMembers, queueMails } from '../notice-mails/notice-mail.ts';
import type { Db } from '../../operations.ts';
import { serializeOn } from '../../organisation/setup/serialize.ts';
import { AlreadyOver, announcementStates, documentStates, eventStates } from './notice.rules.ts';

/** Context of a command on notices. */
export interface NoticeContext {
  db: Db;
  caller: Caller;
  emit: Emit;
}

/** Statuses of each kind. */
const STATES = { announcement: announcementStates, document: documentStates, event: eventStates } as const;

/** Returns the table client of a kind. */
const rowsOf = (db: Db, kind: NoticeKind) =>
  ({ announcement: db.announcement, document: db.hrmDocument, event: db.event })[kind];

/** Notice, published or draft, locked by a command. */
export interface LockedNotice {
  id: string;
  status: string;
  version: number;
  is_shown: boolean;
  requires_ack: boolean;
  /** Days, or the start and end times of an event. */
  start: string | null;
  end: string | null;
}

/**
 * Locks a notice for an update. @throws NotFound, Stale, Forbidden for another user's notice outside the record scope
 */
export async function lockNotice(
  { db, caller }: Pick<NoticeContext, 'db' | 'caller'>,
  kind: NoticeKind,
  id: string,
  expect: number | undefined,
): Promise<LockedNotice> {
  const asks = kind === 'event' ? sql`FALSE` : sql`requires_ack`;
  const as = kind === 'event' ? raw('::timestamptz') : raw('::text');
  const [found] = await db.rows<LockedNotice & { created_by: string | null }>(sql`
    SELECT id, created_by, status, version, published_at IS NOT NULL AS is_shown, ${asks} AS requires_ack, start${as} AS start, "end"${as} AS "end"
    FROM ${raw(NOTICES[kind].table)} WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  if (!found) throw NotFound();
  STATES[kind].assertInScope(found, caller);
  assertVersion(found, expect);
  return found;
}

/** Checks an audience and returns the list of IDs to store for lookups. @throws a 422 that names the field */
export async function prepareAudience({ db, caller }: NoticeContext, audience: AudienceInput | undefined) {
  await assertAudience(db, audience);
  return audienceIds(caller, audience);
}

/** Changes the audience of a notice. If the notice is already shown, new members are notified. */
export async function changeAudience(
  context: NoticeContext,
  kind: NoticeKind,
  { id, is_shown, requires_ack }: LockedNotice,
  audience: AudienceInput | undefined,
): Promise<void> {
  if (!audience) return;
  const { db } = context;
  const ids = await prepareAudience(context, audience);
  await serializeOn(db, 'notices');
  await writeParts(db, kind, id, audience);
  await db.rows(sql`UPDATE ${raw(NOTICES[kind].table)} SET audience = ${ids}::uuid[] WHERE id = ${id}::uuid`);
  if (!is_shown) return;
  if (kind !== 'event' && requires_ack) await syncAcknowledgments(db, kind, id);
  await queueMails(db, 'published', { kind, id }, audienceMembers(kind, id));
}

/** Shows a published notice to its audience, from its first day. */
export async function showToAudience(
  { db, emit }: Pick<NoticeContext, 'db' | 'emit'>,
  kind: NoticeKind,
  id: string,
): Promise<void> {
  const isEvent = kind === 'event';
  const begun = isEvent ? sql`TRUE` : sql`(start IS NULL OR start <= ${acknowledgmentDay()})`;
  const [shown] = await db.rows<{ requires_ack: boolean; type_id: string | null }>(sql`
    UPDATE ${raw(NOTICES[kind].table)} SET published_at = ${clock.now()}::timestamptz
    WHERE id = ${id}::uuid AND status = 'published' AND published_at IS NULL AND ${begun}
    RETURNING ${isEvent ? sql`FALSE` : sql`requires_ack`} AS requires_ack, ${kind === 'document' ? sql`type_id` : sql`NULL`} AS type_id`);
  if (!shown) return;
  const { requires_ack, type_id } = shown;
  if (!isEvent && requires_ack) await syncAcknowledgments(db, kind, id);
  await queueMails(db, 'published', { kind, id }, audienceMembers(kind, id));
  if (kind === 'document') emit(DocumentPublished, { document_id: id, type_id: type_id!, requires_ack });
}

/** Checks if the end of a notice has already passed. */
async function hasEnded(db: Db, kind: NoticeKind, id: string): Promise<boolean> {
  const now = kind === 'event' ? sql`${clock.now()}::timestamptz` : acknowledgmentDay();
  const [over] = await db.rows(sql`
    SELECT id FROM ${raw(NOTICES[kind].table)} WHERE id = ${id}::uuid AND "end" < ${now}`);
  return over !== undefined;
}

type NoticeAction<K extends NoticeKind> = K extends 'event' ? 'publish' | 'archive' | 'cancel' : 'publish' | 'archive';

/**
 * Publishes, archives or cancels a notice. Repeating an action has no effect.
 * @throws InvalidTransition, Stale, AlreadyOver
 */
export async function changeNoticeStatus<K extends NoticeKind>(
  context: NoticeContext,
  kind: K,
  id: string,
  { action, expect }: { action: NoticeAction<K>; expect: number | undefined },
): Promise<void> {
  const { db, caller } = context;
  await serializeOn(db, 'notices');
  const { status, is_shown } = await lockNotice(context, kind, id, expect);
  if (action === 'publish' && status === 'draft' && (await hasEnded(db, kind, id))) throw AlreadyOver();
  const moved = await STATES[kind].move(rowsOf(db, kind), id, action as 'publish', {}, caller);
  if (!moved) return;
  if (action === 'publish') await showToAudience(context, kind, id);
  if (action === 'cancel' && is_shown) await queueMails(db, 'cancelled', { kind, id }, audienceMembers(kind, id));
}

/** Ends a notice whose last day has passed. */
export const expire = (db: Db, kind: NoticeKind, id: string): Promise<boolean> =>
  STATES[kind].move(rowsOf(db, kind), id, 'expire');

/** Deletes a draft. @throws InUse if the notice has been shown or scheduled: archive it instead */
export async function removeDraft(context: NoticeContext, kind: NoticeKind, id: string): Promise<{ id: string }> {
  const { db } = context;
  const { status } = await lockNotice(context, kind, id, undefined);
  if (status !== 'draft') throw InUse({ status });
  await db.rows(sql`DELETE FROM ${raw(NOTICES[kind].table)} WHERE id = ${id}::uuid`);
  return { id };
}
