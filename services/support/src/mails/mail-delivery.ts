/** Delivers the mails that commands have queued. What fails is tried again, later and later, and in the end shown as failed. */
import { clock, every, findEverywhere, type Log, type Mailer, scheduled, sql, type Tools } from '@suite/chassis';
import { recordActivities } from '../activities/activity.ts';
import type { Mail } from '@suite/mail';
import { makeLink } from '../links/link.ts';
import { letterToHtml } from '../markdown/markdown.ts';
import { isPaused } from '../correspondence/storms.ts';
import type { Db } from '../operations.ts';
import { toHtml } from '../thread/html.ts';
import { envelopeOf } from './envelope.ts';
import { isForAgents, queueFailureNotice } from './mail.ts';

interface Queued {
  id: string;
  workspace_id: string;
  ticket_id: string;
  reply_id: string | null;
  kind: string;
  to: string;
  cc: string[];
  subject: string;
  body: string;
  attempts: number;
}

const SCHEDULE = 'support.deliver-mail';
const BATCH = 20;
const MINUTE_MS = 60_000;
/** Waits after the first, second, … failure; after the last of them it has failed. */
const WAITS_MS = [1, 5, 30, 120, 480].map((minutes) => minutes * MINUTE_MS);
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
  if (!(await isStillTrue(db, mail))) {
    await db.mail.updateMany({ where: { id: mail.id }, data: { delivery: 'dropped' } });
    return undefined;
  }
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

/** Sends a mail; its id makes one that is sent twice, after a crash, recognisable as the same. */
async function send(mailer: Mailer, mail: Mail): Promise<Error | null> {
  try {
    await mailer.send(mail);
    return null;
  } catch (error) {
    return error as Error;
  }
}

/** The columns of a mail after an attempt to send it. */
function afterAttempt(before: number, refused: Error | null) {
  const attempts = before + 1;
  const failure = refused && refused.message.slice(0, 500);
  if (failure === null) return { delivery: 'sent', sent_at: clock.now(), failure, attempts };
  const wait_ms = WAITS_MS[before];
  if (wait_ms === undefined) return { delivery: 'failed', failure, attempts };
  return { failure, attempts, next_attempt_at: new Date(clock.now().getTime() + wait_ms) };
}

/** Records how it went, also on the reply that it carries; that it failed stands in the history of the ticket. */
async function settle(db: Db, mail: Queued, refused: Error | null): Promise<void> {
  const after = afterAttempt(mail.attempts, refused);
  const { count } = await db.mail.updateMany({ where: { id: mail.id, delivery: 'queued' }, data: after });
  if (count === 0 || !('delivery' in after)) return;
  const { delivery } = after;
  if (mail.reply_id) await db.reply.updateMany({ where: { id: mail.reply_id }, data: { delivery: delivery! } });
  if (delivery !== 'failed') return;
  await recordActivities(db, [{ ticket_id: mail.ticket_id, verb: 'mail_failed', diff: { kind: [null, mail.kind] } }]);
  if (!isForAgents(mail.kind)) await queueFailureNotice(db, mail.ticket_id, mail.to);
}

type Delivery = Pick<Tools<Db>, 'database' | 'mailer' | 'config'> & { log: Log };

/** Delivers what is due. Returns how many mails were tried. */
export async function deliverMail({ database, mailer, config, log }: Delivery): Promise<number> {
  const due = await findEverywhere<Queued>(
    database,
    SCHEDULE,
    sql`
      SELECT id, workspace_id, ticket_id, reply_id, kind, "to", cc, subject, body, attempts FROM mails
      WHERE delivery = 'queued' AND next_attempt_at <= ${clock.now()} ORDER BY next_attempt_at LIMIT ${BATCH}`,
  );
  for (const mail of due) {
    const context = scheduled(SCHEDULE, mail.workspace_id);
    const composed = await database.write(context, (db) => compose(db, mail, config.PUBLIC_URL));
    if (!composed) continue;
    const refused = await send(mailer, composed);
    if (refused) log.warn({ mail_id: mail.id, err: refused }, 'A mail was not delivered.');
    await database.write(context, (db) => settle(db, mail, refused));
  }
  return due.length;
}

export const deliverQueuedMail = every(SCHEDULE, 5_000, deliverMail);
