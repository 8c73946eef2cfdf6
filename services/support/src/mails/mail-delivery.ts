/** Delivers the mails that commands have queued, and shows in the ticket how it went. */
import { sql } from '@suite/chassis';
import type { Mail } from '@suite/mail';
import { mailQueue } from '@suite/mail-queue';
import { recordActivities } from '../activities/activity.ts';
import type { Mail as Queued } from '../generated/client.ts';
import { makeLink } from '../links/link.ts';
import { letterToHtml } from '../markdown/markdown.ts';
import { isPaused } from '../correspondence/storms.ts';
import type { Db } from '../operations.ts';
import { toHtml } from '../thread/html.ts';
import { envelopeOf } from './envelope.ts';
import { isForAgents, queueFailureNotice } from './mail.ts';

/** Mails that lead their reader to the ticket. */
const WITH_LINK = new Set(['acknowledgement', 'survey']);

/**
 * Whether a mail has still something to say: nobody is asked about a ticket that goes on, or that was rated, and an address
 * that seems to answer by itself gets nothing that no person wrote.
 */
async function isStillTrue(db: Db, { kind, ticket_id, to }: Queued): Promise<boolean> {
  const [ticket] = await db.rows<{ status: string; rating: number | null }>(sql`
    SELECT status, rating FROM tickets WHERE id = ${ticket_id}::uuid AND deleted_at IS NULL`);
  if (!ticket || (WITH_LINK.has(kind) && (await isPaused(db, to)))) return false;
  return kind !== 'survey' || (['resolved', 'closed'].includes(ticket.status) && ticket.rating === null);
}

/**
 * Writes a mail. The link in it is made now and not when the mail was queued, so that no usable link ever lies in
 * the database. @returns undefined when it is withdrawn
 */
async function compose(db: Db, mail: Queued, public_url: string): Promise<Mail | undefined> {
  if (!(await isStillTrue(db, mail))) return undefined;
  const { signature, ...envelope } = await envelopeOf(db, mail);
  const { to, cc, subject } = mail;
  const copies = cc.length > 0 && { cc: cc.join(', ') };
  const link = WITH_LINK.has(mail.kind) && (await makeLink(db, mail.workspace_id, mail.ticket_id));
  const address = link && `${public_url.replace(/\/$/, '')}/api/support-ticket/public/${link}`;
  const below = [signature && `-- \n${signature}`, address].filter((part) => typeof part === 'string');
  const text = [mail.body, ...below].join('\n\n');
  const words = mail.kind === 'reply' ? letterToHtml(mail.body) : toHtml(mail.body);
  return { to, ...copies, subject, text, html: [words, ...below.map(toHtml)].join('\n'), ...envelope };
}

/** Tells how a mail went on the reply that it carries; that it failed stands in the history of the ticket. */
async function recordEnd(
  db: Db,
  { reply_id, ticket_id, kind, to }: Queued,
  delivery: 'sent' | 'failed',
): Promise<void> {
  if (reply_id) await db.reply.updateMany({ where: { id: reply_id }, data: { delivery } });
  if (delivery !== 'failed') return;
  await recordActivities(db, [{ ticket_id, verb: 'mail_failed', diff: { kind: [null, kind] } }]);
  if (!isForAgents(kind)) await queueFailureNotice(db, ticket_id, to);
}

const queue = mailQueue<Db, Queued>({
  schedule: 'support.deliver-mail',
  table: 'mails',
  compose: ({ database, config }, mail, context) =>
    database.write(context, (db) => compose(db, mail, config.PUBLIC_URL)),
  ended: recordEnd,
});

export const deliverMail = queue.deliver;
export const deliverQueuedMail = queue.schedule;
