/** Mails about a ticket: queued in the transaction of what they tell of, delivered by a schedule. */
import { clock } from '@suite/chassis';
import type { Db } from '../operations.ts';

export type MailKind = 'acknowledgement' | 'reply' | 'survey' | 'assignment' | 'sla_notice';

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
  /** When it is sent at the earliest. */
  at?: Date;
}

/** Queues a mail. The number in its subject leads an answer back to the ticket. */
export async function queueMail(db: Db, ticket: MailSubject, { at = clock.now(), cc = [], ...mail }: NewMail) {
  const subject = `[${ticket.number}] ${ticket.subject}`;
  await db.mail.createMany({
    data: [{ ...mail, cc: [...cc], ticket_id: ticket.id, subject, next_attempt_at: at }],
  });
}

/** Withdraws surveys that were not sent yet: what they ask about goes on. */
export async function withdrawSurveys(db: Db, ticket_id: string): Promise<void> {
  await db.mail.updateMany({ where: { ticket_id, kind: 'survey', delivery: 'queued' }, data: { delivery: 'dropped' } });
}
