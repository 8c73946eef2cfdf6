/**
 * Delivers e-mails about published notices. Their facts are read at delivery, and an e-mail that is no longer accurate
 * is dropped.
 */
import { type TransactionContext, sql } from '@suite/chassis/database';
import {
  type SendingTerms,
  linkParagraph,
  mailQueue,
  type MailContext,
  pageOf,
  type WorkspaceEmail,
} from '@suite/mail-queue';
import { hasModule } from '@suite/user-copies';
import type { NoticeMail } from '../../generated/client.ts';
import { mailAddressOf } from '../../organisation/audiences/mail-address.ts';
import type { Db, Rpc } from '../../operations.ts';
import { noticeMail, type NoticeFacts } from './notice-mail.rules.ts';
import { DELIVER_NOTICES } from './notice-mail.ts';

interface QueuedMail extends Omit<NoticeFacts, 'event' | 'occasion'> {
  to: string;
  start: string | null;
  end: string | null;
  timezone: string | null;
  location: string | null;
}

/** Reads the facts of an e-mail, if it still applies to its recipient. */
async function readNotice(
  db: Db,
  { id, kind: occasion }: NoticeMail,
): Promise<(NoticeFacts & { to: string }) | undefined> {
  const [found] = await db.rows<QueuedMail>(sql`
    SELECT employees.name, ${mailAddressOf('employees')} AS "to", coalesce(announcements.title, hrm_documents.title, events.title) AS title,
      announcements.body, acknowledgments.due_on::text AS due_on, events.start, events."end", events.timezone, events.location
    FROM notice_mails JOIN employees ON employees.id = notice_mails.employee_id
      LEFT JOIN announcements ON announcements.id = notice_mails.announcement_id
      LEFT JOIN hrm_documents ON hrm_documents.id = notice_mails.document_id
      LEFT JOIN events ON events.id = notice_mails.event_id
      LEFT JOIN acknowledgments ON acknowledgments.employee_id = employees.id AND acknowledgments.status = 'pending'
        AND (acknowledgments.announcement_id = announcements.id OR acknowledgments.document_id = hrm_documents.id)
    WHERE notice_mails.id = ${id}::uuid AND ${mailAddressOf('employees')} IS NOT NULL
      AND coalesce(announcements.status, hrm_documents.status, events.status) = CASE notice_mails.kind
        WHEN 'cancelled' THEN 'cancelled' ELSE 'published' END
      AND (notice_mails.kind <> 'reminder' OR acknowledgments.id IS NOT NULL)
      AND employees.status NOT IN ('onboarding', 'left')
      AND coalesce(announcements.audience, hrm_documents.audience, events.audience) && audience_of_employees(ARRAY[employees.id])`);
  if (!found) return undefined;
  const { start, end, timezone, location, ...notice } = found;
  const event = start && end && timezone ? { start: new Date(start), end: new Date(end), timezone, location } : null;
  return { ...notice, occasion, event };
}

/** Returns the page of the notice that an e-mail is about. */
function noticePage({ announcement_id, document_id, event_id }: NoticeMail, terms: SendingTerms): string | undefined {
  if (announcement_id) return pageOf(terms, 'announcement', { id: announcement_id });
  if (document_id) return pageOf(terms, 'hr_document', { id: document_id });
  return event_id ? pageOf(terms, 'event', { id: event_id }) : undefined;
}

async function composeMail(
  { database, rpc }: Pick<MailContext<Db, Rpc>, 'database' | 'rpc'>,
  mail: NoticeMail,
  context: TransactionContext,
  terms: SendingTerms,
): Promise<WorkspaceEmail | undefined> {
  const notice = await database.read(context, (db) => readNotice(db, mail));
  if (!notice || !(await hasModule({ rpc }, context, 'hrm'))) return undefined;
  const { subject, text } = noticeMail(notice);
  const because = `you work at ${terms.workspace_name}`;
  return { to: notice.to, subject, text: `${text}${linkParagraph(noticePage(mail, terms))}`, because };
}

const queue = mailQueue<Db, NoticeMail, Rpc>({
  schedule: DELIVER_NOTICES,
  table: 'notice_mails',
  is_automatic: true,
  compose: composeMail,
});

export const deliverNotices = queue.deliver;
export const deliverQueuedNotices = queue.schedule;
