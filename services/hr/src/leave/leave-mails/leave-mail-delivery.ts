/** Delivers leave e-mails. Their facts are read at delivery, and an e-mail that is no longer accurate is dropped. */
import { type TransactionContext, sql } from '@suite/chassis/database';
import {
  type SendingTerms,
  linkParagraph,
  type MailContext,
  mailQueue,
  pageOf,
  type WorkspaceEmail,
} from '@suite/mail-queue';
import { hasModule } from '@suite/user-copies';
import type { LeaveMail } from '../../generated/client.ts';
import { mailAddressOf } from '../../organisation/audiences/mail-address.ts';
import type { Db, Rpc } from '../../operations.ts';
import { DELIVER_LEAVE_MAIL, type LeaveMailKind } from './leave-mail.ts';
import { leaveMail, type LeaveFacts, ACCURATE_STATUSES } from './leave-mail.rules.ts';

interface QueuedMail extends LeaveFacts {
  /** The reader. */
  name: string;
  email: string;
  told_days: string[];
}

/** Reads an e-mail with its recipient, who must be employed and have an address. */
async function readMail(db: Db, { id }: LeaveMail): Promise<QueuedMail | undefined> {
  const [found] = await db.rows<QueuedMail>(sql`
    SELECT reader.name, ${mailAddressOf('reader')} AS email, person.name AS person, leave.from::text AS "from",
      leave.to::text AS "to", trim_scale(leave.days)::text AS days, leave.status, leave.remark,
      ARRAY(SELECT day::text FROM unnest(leave_mails.days) AS day ORDER BY day) AS told_days
    FROM leave_mails JOIN leave_applications AS leave ON leave.id = leave_mails.application_id
      JOIN employees AS person ON person.id = leave.employee_id
      JOIN employees AS reader ON reader.id = leave_mails.employee_id AND reader.status <> 'left'
    WHERE leave_mails.id = ${id}::uuid AND ${mailAddressOf('reader')} IS NOT NULL`);
  return found;
}

async function composeMail(
  { database, rpc }: Pick<MailContext<Db, Rpc>, 'database' | 'rpc'>,
  mail: LeaveMail,
  context: TransactionContext,
  terms: SendingTerms,
): Promise<WorkspaceEmail | undefined> {
  const found = await database.read(context, (db) => readMail(db, mail));
  const kind = mail.kind as LeaveMailKind;
  if (!found || !ACCURATE_STATUSES[kind].includes(found.status) || !(await hasModule({ rpc }, context, 'hrm')))
    return undefined;
  const { subject, text } = leaveMail(found.name, kind, found, found.told_days);
  const page = pageOf(terms, 'leave_request', { id: mail.application_id });
  const isForApprover = ['requested', 'reminder', 'withdrawn'].includes(kind);
  const because = isForApprover ? 'you decide on this leave' : 'this is your leave';
  return { to: found.email, subject, text: `${text}${linkParagraph(page)}`, because };
}

const queue = mailQueue<Db, LeaveMail, Rpc>({
  schedule: DELIVER_LEAVE_MAIL,
  table: 'leave_mails',
  is_automatic: true,
  compose: composeMail,
});

export const deliverLeaveMail = queue.deliver;
export const deliverQueuedLeaveMail = queue.schedule;
