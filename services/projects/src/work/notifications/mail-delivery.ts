/** Delivers e-mails about projects. Their content is read at delivery, with the reader's current permissions. */
import { type TransactionContext, sql } from '@suite/chassis/database';
import {
  type SendingTerms,
  linkParagraph,
  type MailContext,
  mailQueue,
  pageOf,
  type WorkspaceEmail,
} from '@suite/mail-queue';
import { type Recipient, recipientOf, userLabels } from '@suite/user-copies';
import type { Mail as Queued } from '../../generated/client.ts';
import type { Db, Rpc } from '../../operations.ts';
import { invitationTo, mailFor, stoppedTimer, type NotificationFacts } from './mail.rules.ts';
import { mentionedUsers, withNames } from './mention.rules.ts';
import type { NotificationKind } from './notification.schema.ts';

/** Modules that show projects. A recipient needs one. */
const MODULES = ['projects', 'lightproj'];

interface QueuedNotification {
  kind: NotificationKind;
  item_id: string;
  comment_id: string | null;
  actor: string | null;
  due_date: string | null;
}

/**
 * Returns the notifications of an e-mail that still apply. The reader is still assigned or watching, and is not the
 * acting user.
 */
const currentNotifications = (db: Db, { id, user_id }: Queued): Promise<QueuedNotification[]> =>
  db.rows<QueuedNotification>(sql`
    SELECT noted.kind, noted.item_id, noted.comment_id, noted.due_date::text, actors.name AS actor
    FROM notifications AS noted JOIN work_items ON work_items.id = noted.item_id
    JOIN projects ON projects.id = work_items.project_id LEFT JOIN users AS actors ON actors.id = noted.actor_id
    WHERE noted.mail_id = ${id}::uuid AND noted.actor_id IS DISTINCT FROM ${user_id}::uuid AND projects.active
      AND CASE noted.kind
        WHEN 'assignment' THEN EXISTS (SELECT FROM assignees WHERE item_id = noted.item_id AND user_id = noted.user_id)
        WHEN 'comment' THEN EXISTS (
          SELECT FROM watchers WHERE item_id = noted.item_id AND user_id = noted.user_id AND watching)
        WHEN 'due' THEN work_items.due_date = noted.due_date AND work_items."group" NOT IN ('completed', 'cancelled')
          AND EXISTS (SELECT FROM assignees WHERE item_id = noted.item_id AND user_id = noted.user_id)
        ELSE TRUE END
    ORDER BY noted.kind = 'due' DESC, noted.created_at, noted.id`);

/** Returns the tasks, bugs and comments that the reader sees. Runs with the reader's permissions. */
async function visibleNotifications(
  db: Db,
  { caller }: Recipient,
  noted: readonly QueuedNotification[],
): Promise<NotificationFacts[]> {
  const kinds = ['task', 'bug'].filter((kind) => caller.permissions.includes(`${kind}.view`));
  const items = await db.rows<{ id: string; key: string; title: string; project: string }>(sql`
    SELECT work_items.id, projects.code || '-' || number AS key, title, projects.name AS project
    FROM work_items JOIN projects ON projects.id = work_items.project_id
    WHERE work_items.id = ANY(${noted.map(({ item_id }) => item_id)}::uuid[])
      AND work_items.kind = ANY(${kinds}::text[])`);
  const comments = await db.rows<{ id: string; body: string | null }>(sql`
    SELECT id, body FROM comments WHERE deleted_at IS NULL
      AND id = ANY(${noted.map(({ comment_id }) => comment_id).filter((id) => id !== null)}::uuid[])`);
  const itemOf = new Map(items.map((item) => [item.id, item]));
  const mentioned = [...new Set(comments.flatMap(({ body }) => mentionedUsers(body)))];
  const labels = await userLabels(db)(mentioned);
  const nameOf = new Map((labels as { id: string; name: string }[]).map(({ id, name }) => [id, name]));
  const bodyOf = new Map(comments.map(({ id, body }) => [id, body === null ? null : withNames(body, nameOf)]));
  return noted.flatMap(({ kind, item_id, comment_id, actor, due_date }) => {
    const item = itemOf.get(item_id);
    if (!item || (comment_id !== null && !bodyOf.has(comment_id))) return [];
    const { key, title, project } = item;
    const body = comment_id === null ? null : bodyOf.get(comment_id)!;
    return [{ kind, actor, key, title, project, due_date, body }];
  });
}

/** Builds an invitation e-mail if the invitation is still valid. */
async function invitation(db: Db, { project_id, user_id }: Queued, name: string) {
  const [project] = await db.rows<{ name: string }>(sql`
    SELECT name FROM projects WHERE id = ${project_id}::uuid AND active AND NOT is_template AND EXISTS (
      SELECT FROM project_clients WHERE project_id = projects.id AND user_id = ${user_id}::uuid)`);
  return project && invitationTo(name, project.name);
}

/** Writes the notice about a stopped timer to the active user who had started it, regardless of their permissions. */
async function stopNotice(db: Db, { time_entry_id }: Queued) {
  const [found] = await db.rows<Parameters<typeof stoppedTimer>[0] & { email: string }>(sql`
    SELECT email, users.name, projects.name AS project, started_at, ended_at, time_entries.timezone
    FROM time_entries JOIN users ON users.id = user_id JOIN projects ON projects.id = project_id
    WHERE time_entries.id = ${time_entry_id}::uuid AND email IS NOT NULL AND users.status = 'active'`);
  if (!found) return undefined;
  return { to: found.email, ...stoppedTimer(found), because: 'you started the timer' };
}

async function composeMail(
  tools: MailContext<Db, Rpc>,
  mail: Queued,
  context: TransactionContext,
  terms: SendingTerms,
): Promise<WorkspaceEmail | undefined> {
  const { database } = tools;
  if (mail.kind === 'stopped_timer') return await database.read(context, (db) => stopNotice(db, mail));
  const recipient = await recipientOf(tools, context, { user_id: mail.user_id, modules: MODULES });
  if (!recipient?.email) return undefined;
  const { name, email: to, caller } = recipient;
  const asRecipient = <T>(work: (db: Db) => Promise<T>) => database.view({ ...context, caller }, work);
  const writeMail = async () => {
    if (mail.kind === 'invitation') {
      const invited = await asRecipient((db) => invitation(db, mail, name));
      return invited && { ...invited, told: [] };
    }
    const noted = await database.read(context, (db) => currentNotifications(db, mail));
    const facts = noted.length > 0 ? await asRecipient((db) => visibleNotifications(db, recipient, noted)) : [];
    return facts.length > 0 ? { ...mailFor(name, facts, mail.kind === 'daily'), told: noted } : undefined;
  };
  const email = await writeMail();
  const [only, ...others] = email?.told ?? [];
  const page =
    mail.kind === 'invitation'
      ? pageOf(terms, 'project', { id: mail.project_id! })
      : only && others.length === 0 && pageOf(terms, 'work_item', { id: only.item_id });
  const because = 'you take part in the project';
  return email && { to, subject: email.subject, text: `${email.text}${linkParagraph(page || undefined)}`, because };
}

const queue = mailQueue<Db, Queued, Rpc>({
  schedule: 'projects.deliver-mail',
  table: 'mails',
  is_automatic: true,
  compose: composeMail,
});

export const deliverMail = queue.deliver;
export const deliverQueuedMail = queue.schedule;
