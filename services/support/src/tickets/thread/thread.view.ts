/** Views of a ticket's thread. Nothing that a requester reads comes from the functions about notes. */
import { type Sql, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { FileLinks } from '@suite/chassis/files';
import type { z } from 'zod';
import { attachmentOf } from '../../content/files/attachment.ts';
import { messagesToHtml } from '../../content/markdown/bounded-markdown.ts';
import type { Db } from '../../operations.ts';
import { textToParagraphs } from '../../content/markdown/plain-text.ts';
import type { TicketSide } from '../ticket-states/ticket-side.rules.ts';
import type { Note, Reply } from './thread.schema.ts';

/** Maximum number and size of the replies of a thread in one response. The first reply is always included. */
const REPLIES_MAX = 200;
const BYTES_MAX = 1_000_000;
/** Weight of a byte of Markdown: formatting takes longer than sending HTML. */
const MARKDOWN_WEIGHT = 5;
const ACTIVITIES_MAX = 100;

interface ReplyRow {
  id: string;
  author_kind: string;
  author_name: string;
  body: string;
  in_reply_to: string | null;
  at: string;
  delivery: string | null;
  /** Rejected attachments, for replies from e-mails. */
  attachments_refused?: { name: string; reason: 'too_many' | 'too_large' | 'plan_limit' | 'type' | 'scan' }[];
  quoted?: string | null;
  html?: string | null;
  body_truncated?: boolean;
  opening_subject?: string | null;
  unverified?: boolean;
  authenticated?: boolean | null;
}

interface FileRow {
  id: string;
  owner_id: string | null;
  key: string;
  name: string;
  mime: string;
  size: number;
}

/** Returns the fields of a reply for agents: its delivery status, or the details of the e-mail it came from. */
const agentFields = ({ delivery, quoted = null, html = null, unverified = false, authenticated = null }: ReplyRow) => ({
  delivery,
  quoted,
  original_html: html,
  unverified,
  authenticated,
});

/** Context for reading replies: the workspace, the side, and the file links. */
interface ReplyReader {
  workspace_id: string;
  side: TicketSide;
  links: FileLinks;
}

/** Returns a reply as one side sees it. */
const replyOf = (row: ReplyRow, files: readonly FileRow[], { links, side }: ReplyReader, body_html: string) => ({
  id: row.id,
  author: { kind: row.author_kind, name: row.author_name },
  opening_subject: row.opening_subject ?? null,
  body: row.body,
  body_truncated: row.body_truncated ?? false,
  body_html,
  in_reply_to: row.in_reply_to,
  attachments: files.filter(({ owner_id }) => owner_id === row.id).map((file) => attachmentOf(links, file)),
  attachments_refused: row.attachments_refused ?? [],
  at: row.at,
  ...(side === 'agent' && agentFields(row)),
});

/**
 * Returns replies as one side sees them. Chosen: an agent's text is Markdown. A customer's text is shown as written,
 * because most come as plain text by e-mail.
 */
export async function showReplies(rows: readonly ReplyRow[], files: readonly FileRow[], reader: ReplyReader) {
  const agentTexts = rows.filter(({ author_kind }) => author_kind === 'agent').map(({ body }) => body);
  const formatted = (await messagesToHtml(reader.workspace_id, agentTexts)).values();
  return rows.map((row) => {
    const body_html = row.author_kind === 'agent' ? (formatted.next().value ?? '') : textToParagraphs(row.body);
    return replyOf(row, files, reader, body_html);
  });
}

/**
 * Selects the entries of a ticket's thread. The requester of a merged ticket also sees the replies sent to them from
 * the target. The first message of their own ticket is its description.
 */
const inThread = (ticket_id: string): Sql => sql`
  (thread_id = ${ticket_id}::uuid OR ticket_id = ${ticket_id}::uuid
    OR id IN (SELECT id FROM reply_readers WHERE ticket_id = ${ticket_id}::uuid))
  AND NOT (opening_subject IS NOT NULL AND ticket_id = ${ticket_id}::uuid)`;

/** Checks that a position is in the thread. @throws a 422 fault */
async function assertInThread(db: Db, ticket_id: string, after: string | undefined): Promise<void> {
  if (!after) return;
  const found = await db.rows(sql`
    SELECT FROM replies WHERE id = ${after}::uuid AND ${inThread(ticket_id)}`);
  if (found.length === 0) throw invalid('thread_after', 'Reply not found in this ticket.');
}

/** Reads one page of the public thread, with the ID to continue after if there is more. */
export async function readThread(
  db: Db,
  ticket_id: string,
  { after, ...reader }: ReplyReader & { after: string | undefined },
) {
  const { links } = reader;
  await assertInThread(db, ticket_id, after);
  const afterPosition = after ? sql`AND (at, id) > (SELECT at, id FROM replies WHERE id = ${after}::uuid)` : sql``;
  const rows = await db.rows<ReplyRow & { found: number }>(sql`
    SELECT id, author_kind, author_name, body, in_reply_to, at, delivery, quoted, html, unverified, authenticated,
      attachments_refused, body_truncated, opening_subject, found
    FROM (
      SELECT part.*, count(*) OVER ()::int AS found, row_number() OVER (ORDER BY at, id) AS place,
        sum(octet_length(body) * ${MARKDOWN_WEIGHT}::int + coalesce(octet_length(quoted), 0) + coalesce(octet_length(html), 0))
          OVER (ORDER BY at, id) AS bytes
      FROM (SELECT * FROM replies WHERE ${inThread(ticket_id)} ${afterPosition}
        ORDER BY at, id LIMIT ${REPLIES_MAX + 1}) AS part) AS measured
    WHERE place = 1 OR place <= ${REPLIES_MAX} AND bytes <= ${BYTES_MAX}
    ORDER BY at, id`);
  const files = await db.rows<FileRow>(sql`
    SELECT id, nullif(reply_id, (SELECT id FROM replies
        WHERE opening_subject IS NOT NULL AND ticket_id = ${ticket_id}::uuid LIMIT 1)) AS owner_id, key, name, mime, size
    FROM files
    WHERE thread_id = ${ticket_id}::uuid OR ticket_id = ${ticket_id}::uuid
      OR reply_id IN (SELECT id FROM reply_readers WHERE ticket_id = ${ticket_id}::uuid)
    ORDER BY created_at, id`);
  return {
    thread: (await showReplies(rows, files, reader)) as z.input<typeof Reply>[],
    thread_after: rows.length < (rows[0]?.found ?? 0) ? rows.at(-1)!.id : null,
    attachments: files.filter(({ owner_id }) => owner_id === null).map((file) => attachmentOf(links, file)),
  };
}

/** Returns the last reply of each ticket. */
export const lastReplies = (db: Db) => async (ids: string[]) => {
  const rows = await db.rows<Record<string, unknown>>(sql`
    SELECT reply.id, ids.id AS ticket_id, author_kind, author_name, body, at FROM unnest(${ids}::uuid[]) AS ids (id), LATERAL (
      SELECT * FROM replies WHERE thread_id = ids.id ORDER BY at DESC, id DESC LIMIT 1) AS reply`);
  return rows.map(({ author_kind: kind, author_name: name, ...row }) => ({ ...row, author: { kind, name } }));
};

/** Returns the notes of a ticket, for agents. */
export async function readNotes(db: Db, ticket_id: string, links: FileLinks): Promise<z.input<typeof Note>[]> {
  const ofTicket = sql`thread_id = ${ticket_id}::uuid OR ticket_id = ${ticket_id}::uuid`;
  const rows = await db.rows<{
    id: string;
    author_id: string;
    author_name: string;
    body: string;
    created_at: string;
  }>(sql`
    SELECT id, author_id, author_name, body, created_at FROM ticket_notes
    WHERE ${ofTicket} ORDER BY created_at, id LIMIT ${REPLIES_MAX}`);
  const files = await db.rows<FileRow>(sql`
    SELECT id, note_id AS owner_id, key, name, mime, size FROM note_files
    WHERE note_id IN (SELECT id FROM ticket_notes WHERE ${ofTicket}) ORDER BY created_at, id`);
  return rows.map(({ author_id, author_name, ...note }) => ({
    ...note,
    author: { id: author_id, name: author_name },
    attachments: files.filter(({ owner_id }) => owner_id === note.id).map((file) => attachmentOf(links, file)),
  }));
}

/** Returns the last history entries of a ticket, newest first, for agents. */
export const readActivities = (db: Db, ticket_id: string) =>
  db.rows<{ id: string; verb: string; diff: Record<string, unknown[]>; actor_id: string | null; at: string }>(sql`
    SELECT id, verb, diff, actor_id, at FROM activities
    WHERE ticket_id = ${ticket_id}::uuid ORDER BY at DESC, id DESC LIMIT ${ACTIVITIES_MAX}`);

/** Selects the tickets merged into one of `tickets`, oldest first, as a column. */
export const mergedTickets: Sql = sql`(
  SELECT coalesce(json_agg(merged), '[]') FROM (
    SELECT other.id, other.number, other.subject,
      json_build_object('name', other.requester_name, 'email', other.requester_email) AS requester
    FROM tickets AS other WHERE other.merged_into = tickets.id AND other.deleted_at IS NULL
    ORDER BY other.created_at, other.id LIMIT ${ACTIVITIES_MAX}) AS merged)`;
