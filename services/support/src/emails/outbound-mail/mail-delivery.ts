/** Sends the queued e-mails, and records the delivery status in the ticket. */
import { type TransactionContext, sql } from '@suite/chassis/database';
import type { Storage } from '@suite/chassis/files';
import { type MailFile, textToHtml } from '@suite/mail';
import { type SendingTerms, mailQueue, type MailContext, pageOf, type WorkspaceEmail } from '@suite/mail-queue';
import { recipientWithAccess } from '@suite/user-copies';
import { recordActivities } from '../../settings/activities/activity.ts';
import type { Mail as Queued } from '../../generated/client.ts';
import { makeLink } from './ticket-link.ts';
import { messagesToHtml } from '../../content/markdown/bounded-markdown.ts';
import { isPaused } from '../correspondence/mail-loops.ts';
import type { Db, Rpc } from '../../operations.ts';
import { envelopeOf } from './envelope.ts';
import { DELIVER_MAIL, isForAgents, queueFailureNotice } from './mail.ts';

/** Kinds of e-mails with a link to the ticket. */
const KINDS_WITH_LINK = new Set(['acknowledgement', 'survey']);

/**
 * Returns true if an e-mail is still relevant. No survey is sent for a reopened or rated ticket. An address that seems
 * to answer automatically gets no automatic e-mails.
 */
async function isStillRelevant(db: Db, { kind, ticket_id, to }: Queued): Promise<boolean> {
  const [ticket] = await db.rows<{ status: string; rating: number | null }>(sql`
    SELECT status, rating FROM tickets WHERE id = ${ticket_id}::uuid AND deleted_at IS NULL`);
  if (!ticket || (KINDS_WITH_LINK.has(kind) && (await isPaused(db, to)))) return false;
  return kind !== 'survey' || (['resolved', 'closed'].includes(ticket.status) && ticket.rating === null);
}

/**
 * Chosen: maximum size of attached files per e-mail, in bytes. Encoding adds a third, which stays below the usual 25
 * MiB.
 */
const ATTACHED_BYTES_MAX = 18 * 1024 * 1024;

interface ReplyFile {
  key: string;
  name: string;
  mime: string;
  size: number;
}

/** Returns the files of a reply: the files attached to its e-mail, and the files available by the link. */
async function filesOf(db: Db, reply_id: string | null): Promise<{ attached: ReplyFile[]; linked: ReplyFile[] }> {
  const files = reply_id
    ? await db.rows<ReplyFile>(sql`
        SELECT key, name, mime, size FROM files WHERE reply_id = ${reply_id}::uuid ORDER BY created_at, id`)
    : [];
  let bytes = 0;
  const isAttached = files.map(({ size }) => bytes + size <= ATTACHED_BYTES_MAX && (bytes += size) >= 0);
  return { attached: files.filter((_, at) => isAttached[at]), linked: files.filter((_, at) => !isAttached[at]) };
}

/** Reason for each kind of e-mail. Other kinds are sent to the participants of the ticket. */
const REASONS: Readonly<Record<string, string>> = {
  acknowledgement: 'you sent a request',
  survey: 'you sent a request',
  assignment: 'the ticket is assigned to you',
  failure: 'the ticket is assigned to you',
  sla_notice: 'you handle tickets',
};

/**
 * Returns false for an e-mail to an agent who may not see its ticket now. An agent whose address has changed since is
 * unknown, and gets none.
 */
async function canRecipientRead(
  tools: Pick<MailContext<Db, Rpc>, 'database' | 'rpc'>,
  { kind, to, ticket_id }: Queued,
  context: TransactionContext,
): Promise<boolean> {
  if (!isForAgents(kind)) return true;
  const [agent] = await tools.database.read(context, (db) =>
    db.rows<{ id: string }>(sql`SELECT id FROM users WHERE email = ${to} AND status = 'active'`),
  );
  const permission = sql`SELECT 'ticket.view' AS permission FROM tickets WHERE id = ${ticket_id}::uuid`;
  const request = agent && { user_id: agent.id, modules: ['support'], permission };
  return request !== undefined && (await recipientWithAccess(tools, context, request)) !== undefined;
}

/** Returns the page on which a requester reads the ticket: the workspace's page, or ours. */
const publicPage = (token: string, public_url: string, terms: SendingTerms): string =>
  pageOf(terms, 'ticket_public', { token }) ?? `${public_url.replace(/\/$/, '')}/api/support-ticket/public/${token}`;

/** Returns the ticket page for agents, if the workspace has one. */
const pageForAgents = ({ kind, ticket_id }: Queued, terms: SendingTerms): string | undefined =>
  isForAgents(kind) ? pageOf(terms, 'ticket', { id: ticket_id }) : undefined;

/** Composed e-mail, without the contents of its files. */
interface ComposedMail {
  mail: WorkspaceEmail;
  attached: ReplyFile[];
}

/**
 * Composes an e-mail. Its link is created now and not when the e-mail was queued, so that the database never contains a
 * usable link. @returns undefined when it is withdrawn
 */
async function compose(
  db: Db,
  mail: Queued,
  public_url: string,
  terms: SendingTerms,
): Promise<ComposedMail | undefined> {
  if (!(await isStillRelevant(db, mail))) return undefined;
  const { signature, ...envelope } = await envelopeOf(db, mail);
  const { to, cc, subject } = mail;
  const copies = cc.length > 0 && { cc: cc.join(', ') };
  const { attached, linked } = await filesOf(db, mail.reply_id);
  const link =
    (KINDS_WITH_LINK.has(mail.kind) || linked.length > 0) && (await makeLink(db, mail.workspace_id, mail.ticket_id));
  const address = link ? publicPage(link, public_url, terms) : pageForAgents(mail, terms);
  const linkedNames =
    linked.length > 0 &&
    `These files are too large for an e-mail. Download them from the ticket: ${linked.map(({ name }) => name).join(', ')}`;
  const footer = [signature && `-- \n${signature}`, linkedNames, address && `View the ticket: ${address}`].filter(
    (part) => typeof part === 'string',
  );
  const text = [mail.body, ...footer].join('\n\n');
  const [html = ''] =
    mail.kind === 'reply' ? await messagesToHtml(mail.workspace_id, [mail.body]) : [textToHtml(mail.body)];
  const because = REASONS[mail.kind] ?? 'you are a participant in this ticket';
  const composed = {
    because,
    to,
    ...copies,
    subject,
    text,
    html: [html, ...footer.map(textToHtml)].join('\n'),
    ...envelope,
  };
  return { mail: composed, attached };
}

/** Reads the files of an e-mail outside of any transaction. */
const readFiles = (storage: Storage, files: readonly ReplyFile[]): Promise<MailFile[]> =>
  Promise.all(
    files.map(async ({ key, name, mime }) => ({
      filename: name,
      contentType: mime,
      content: Buffer.from(await storage.read(key)),
    })),
  );

/** Records the delivery status on the reply. A failure is also recorded in the history of the ticket. */
async function recordDelivery(
  db: Db,
  { reply_id, ticket_id, kind, to }: Queued,
  delivery: 'sent' | 'failed',
): Promise<void> {
  if (reply_id) await db.reply.updateMany({ where: { id: reply_id }, data: { delivery } });
  if (delivery !== 'failed') return;
  await recordActivities(db, [{ ticket_id, verb: 'mail_failed', diff: { kind: [null, kind] } }]);
  if (!isForAgents(kind)) await queueFailureNotice(db, ticket_id, to);
}

const queue = mailQueue<Db, Queued, Rpc>({
  schedule: DELIVER_MAIL,
  table: 'mails',
  recipientsOf: ({ cc }) => 1 + cc.length,
  async compose(tools, mail, context, terms) {
    const { database, config, storage } = tools;
    if (!(await canRecipientRead(tools, mail, context))) return undefined;
    const composed = await database.write(context, (db) => compose(db, mail, config.PUBLIC_URL, terms));
    return composed && { ...composed.mail, attachments: await readFiles(storage, composed.attached) };
  },
  ended: recordDelivery,
});

export const deliverMail = queue.deliver;
export const deliverQueuedMail = queue.schedule;
