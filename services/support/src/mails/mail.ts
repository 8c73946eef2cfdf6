/** Mails about a ticket: queued in the transaction of what they tell of, delivered by a schedule. */
import { randomUUIDv7 } from 'node:crypto';
import { clock, dueAtOnce, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

export type MailKind = 'acknowledgement' | 'reply' | 'survey' | 'assignment' | 'failure' | 'sla_notice';

/** The schedule that delivers mails. */
export const DELIVER_MAIL = 'support.deliver-mail';

/** A ticket, as its mails name it. */
export interface MailSubject {
  id: string;
  number: string;
  subject: string;
}

/** A message about a ticket. */
interface NewMail {
  kind: MailKind;
  to: string;
  cc?: readonly string[];
  body: string;
  reply_id?: string;
  /** When it is sent at the earliest; at once, when it is not given. */
  at?: Date;
}

/** Queues a mail. The number in its subject leads an answer back to the ticket. */
export async function queueMail(db: Db, ticket: MailSubject, { at, cc = [], ...mail }: NewMail) {
  const subject = `[${ticket.number}] ${ticket.subject}`;
  const { kind, to, body, reply_id = null } = mail;
  await db.rows(sql`
    INSERT INTO mails (id, ticket_id, reply_id, kind, "to", cc, subject, body, next_attempt_at)
    VALUES (${randomUUIDv7()}::uuid, ${ticket.id}::uuid, ${reply_id}::uuid, ${kind}, ${to}, ${cc}::text[], ${subject}, ${body},
      ${at ?? clock.now()}::timestamptz)`);
  if (!at) dueAtOnce(DELIVER_MAIL);
}

/** Whether mails of this kind go to those who would be told of a failure. */
export const isForAgents = (kind: string): boolean => ['assignment', 'failure', 'sla_notice'].includes(kind);

/** Tells the assignee of a ticket that a mail about it did not arrive; nobody, where it lies with nobody. */
export async function queueFailureNotice(db: Db, ticket_id: string, to: string): Promise<void> {
  const ticket = await db.ticket.findFirst({ where: { id: ticket_id, deleted_at: null }, include: { assignee: true } });
  const { name, email, status } = ticket?.assignee ?? {};
  if (!ticket || !email || status !== 'active') return;
  const body = `Dear ${name},\n\na mail about ticket ${ticket.number} did not reach ${to}.`;
  await queueMail(db, ticket, { kind: 'failure', to: email, body });
}

/** Withdraws surveys that were not sent yet: what they ask about goes on. */
export async function withdrawSurveys(db: Db, ticket_id: string): Promise<void> {
  await db.mail.updateMany({ where: { ticket_id, kind: 'survey', delivery: 'queued' }, data: { delivery: 'dropped' } });
}
