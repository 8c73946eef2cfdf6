/** E-mails about a ticket: queued in the transaction of the change, and sent by a schedule. */
import { randomUUIDv7 } from 'node:crypto';
import { runAfterCommit, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';

export type OutboundMailKind = 'acknowledgement' | 'reply' | 'survey' | 'assignment' | 'failure' | 'sla_notice';

/** Schedule that sends e-mails. */
export const DELIVER_MAIL = 'support.deliver-mail';

/** Ticket, with the fields that its e-mails show. */
export interface MailSubject {
  id: string;
  number: string;
  subject: string;
}

/** E-mail about a ticket. */
interface NewMail {
  kind: OutboundMailKind;
  to: string;
  cc?: readonly string[];
  body: string;
  reply_id?: string;
  /** Earliest time of sending. Defaults to now. */
  at?: Date;
}

/** Queues an e-mail. The number in its subject links replies to the ticket. */
export async function queueMail(db: Db, ticket: MailSubject, { at, cc = [], ...mail }: NewMail) {
  const subject = `[${ticket.number}] ${ticket.subject}`;
  const { kind, to, body, reply_id = null } = mail;
  await db.rows(sql`
    INSERT INTO mails (id, ticket_id, reply_id, kind, "to", cc, subject, body, next_attempt_at)
    VALUES (${randomUUIDv7()}::uuid, ${ticket.id}::uuid, ${reply_id}::uuid, ${kind}, ${to}, ${cc}::text[], ${subject}, ${body},
      ${at ?? clock.now()}::timestamptz)`);
  if (!at) runAfterCommit(DELIVER_MAIL);
}

/** Returns true if e-mails of this kind are sent to agents, who are also the recipients of failure notices. */
export const isForAgents = (kind: string): boolean => ['assignment', 'failure', 'sla_notice'].includes(kind);

/** Notifies the assignee of a ticket about a failed e-mail. Does nothing for an unassigned ticket. */
export async function queueFailureNotice(db: Db, ticket_id: string, to: string): Promise<void> {
  const ticket = await db.ticket.findFirst({ where: { id: ticket_id, deleted_at: null }, include: { assignee: true } });
  const { name, email, status } = ticket?.assignee ?? {};
  if (!ticket || !email || status !== 'active') return;
  const body = `Hello ${name},\n\nAn e-mail about ticket ${ticket.number} could not be delivered to ${to}.`;
  await queueMail(db, ticket, { kind: 'failure', to: email, body });
}

/** Withdraws queued surveys, because work on the ticket continues. */
export async function withdrawSurveys(db: Db, ticket_id: string): Promise<void> {
  await db.mail.updateMany({ where: { ticket_id, kind: 'survey', delivery: 'queued' }, data: { delivery: 'dropped' } });
}
