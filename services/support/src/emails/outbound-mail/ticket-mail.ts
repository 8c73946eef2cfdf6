/** Automatic e-mails about a ticket: acknowledgment, assignment and survey. */
import { sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';
import { readDeskSettings } from '../../settings/settings/settings.ts';
import { type MailSubject, queueMail } from './mail.ts';

const HOUR_MS = 3_600_000;

/** Ticket, with the recipient of its e-mails. */
interface TicketWithRequester extends MailSubject {
  requester_name: string;
  requester_email: string;
  silent?: boolean | undefined;
}

/** Returns true if the requester receives an acknowledgment. */
export const isAcknowledgmentDue = async (
  db: Db,
  { silent, acknowledged }: { silent?: boolean | undefined; acknowledged?: boolean | undefined },
): Promise<boolean> => !silent && (acknowledged ?? (await readDeskSettings(db)).auto_acknowledge);

/** Sends an acknowledgment to the requester. */
export async function queueAcknowledgment(db: Db, ticket: TicketWithRequester): Promise<void> {
  const { requester_name, requester_email, number, subject } = ticket;
  const body = `Hello ${requester_name},\n\nWe have received your request "${subject}". Your ticket number is ${number}.`;
  await queueMail(db, ticket, { kind: 'acknowledgement', to: requester_email, body });
}

/** Notifies the assignee of a ticket. Does nothing for an unassigned ticket. */
export async function notifyAssignee(db: Db, ticket: MailSubject & { assignee_id: string | null }): Promise<void> {
  const { assignee_id: id, number, subject } = ticket;
  if (!id) return;
  const [user] = await db.rows<{ name: string; email: string }>(sql`
    SELECT name, email FROM users WHERE id = ${id}::uuid AND email IS NOT NULL`);
  if (!user) return;
  const body = `Hello ${user.name},\n\nTicket ${number} has been assigned to you: ${subject}`;
  await queueMail(db, ticket, { kind: 'assignment', to: user.email, body });
}

/** Queues a survey for the requester, once per resolution. Sends none if no agent has ever replied. */
export async function queueSurvey(
  db: Db,
  ticket: TicketWithRequester & { last_agent_reply_at: unknown },
  at: Date,
): Promise<void> {
  const { survey, survey_delay_hours } = await readDeskSettings(db);
  if (!survey || ticket.silent || ticket.last_agent_reply_at === null) return;
  await queueMail(db, ticket, {
    kind: 'survey',
    to: ticket.requester_email,
    body: `Hello ${ticket.requester_name},\n\nYour ticket ${ticket.number} has been resolved. Please rate our support from 1 (very dissatisfied) to 5 (very satisfied).`,
    at: new Date(at.getTime() + survey_delay_hours * HOUR_MS),
  });
}
