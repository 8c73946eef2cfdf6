/** The letters about a ticket that nobody writes by hand: that it arrived, that it lies with somebody, and how it was. */
import { sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { readChoices } from '../settings/settings.ts';
import { type MailSubject, queueMail } from './mail.ts';

const HOUR_MS = 3_600_000;

/** A ticket with whom its letters go to. */
interface Addressed extends MailSubject {
  requester_name: string;
  requester_email: string;
  silent?: boolean | undefined;
}

/** Whether the requester is told that the ticket has arrived. */
export const isAcknowledged = async (
  db: Db,
  { silent, acknowledged }: { silent?: boolean | undefined; acknowledged?: boolean | undefined },
): Promise<boolean> => !silent && (acknowledged ?? (await readChoices(db)).auto_acknowledge);

/** Tells the requester that the ticket has arrived. */
export async function acknowledge(db: Db, ticket: Addressed): Promise<void> {
  const { requester_name, requester_email, number, subject } = ticket;
  const body = `Dear ${requester_name},\n\nwe have received your request "${subject}". Its number is ${number}.`;
  await queueMail(db, ticket, { kind: 'acknowledgement', to: requester_email, body });
}

/** Tells the assignee of a ticket that it lies with him now; nobody, where it lies with nobody. */
export async function tellAssignee(db: Db, ticket: MailSubject & { assignee_id: string | null }): Promise<void> {
  const { assignee_id: id, number, subject } = ticket;
  if (!id) return;
  const [user] = await db.rows<{ name: string; email: string }>(sql`
    SELECT name, email FROM users WHERE id = ${id}::uuid AND email IS NOT NULL`);
  if (!user) return;
  const body = `Dear ${user.name},\n\nticket ${number} lies with you now: ${subject}`;
  await queueMail(db, ticket, { kind: 'assignment', to: user.email, body });
}

/** Asks the requester how it was, once per resolution; nobody is asked where no agent ever answered. */
export async function queueSurvey(
  db: Db,
  ticket: Addressed & { last_agent_reply_at: unknown },
  at: Date,
): Promise<void> {
  const { survey, survey_delay_hours } = await readChoices(db);
  if (!survey || ticket.silent || ticket.last_agent_reply_at === null) return;
  await queueMail(db, ticket, {
    kind: 'survey',
    to: ticket.requester_email,
    body: `Dear ${ticket.requester_name},\n\nyour ticket ${ticket.number} was resolved. How satisfied are you, from 1 to 5?`,
    at: new Date(at.getTime() + survey_delay_hours * HOUR_MS),
  });
}
