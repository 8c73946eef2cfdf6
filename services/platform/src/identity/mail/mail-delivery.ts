/** Delivers the e-mails of platform. */
import { type TransactionContext, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { type SendingTerms, type MailContext, mailQueue } from '@suite/mail-queue';
import type { OutgoingMail } from '../../generated/client.ts';
import { withoutCaller, type Db } from '../../operations.ts';
import { emailTerms } from './email-terms.ts';
import { type MailDetails, DELIVER_MAIL, mailFor } from './mail-templates.ts';
import { makeLink } from './one-time-link.ts';

/**
 * Retry delays in seconds. They are short because users wait for these e-mails. Each template sets its own time limit.
 */
const RETRY_DELAYS_S = [5, 10, 20, 40, 80, 160, 320, 640, 900];

/**
 * Composes an e-mail. Chosen: the link of an e-mail is created on sending, and not when the e-mail is queued. The
 * database therefore never contains a usable link, neither in clear nor encrypted. The lifetime of the link begins when
 * it is sent.
 */
async function composeMail(
  db: Db,
  public_url: string,
  { id, user_id, email, letter: kind, facts }: OutgoingMail,
  terms: SendingTerms,
) {
  if (email === null) return undefined;
  const user = await db.user.findFirstOrThrow({ where: { id: user_id }, include: { workspace: true } });
  const { name, workspace } = user;
  const { link: purpose, subject, text, for_owners } = mailFor(kind);
  if (for_owners && !(user.kind === 'owner' && user.status === 'active')) return undefined;
  const link = purpose ? await makeLink(db, { public_url, links: terms.links }, purpose, user_id, email) : '';
  return {
    to: email,
    subject: subject(workspace.name),
    text: text({ name, workspace: workspace.name, link, about: facts as MailDetails }),
    because: `you have an account at ${workspace.name}`,
    // The same for every attempt, so that a duplicate e-mail can be recognised.
    message_id: `<${id}@${new URL(public_url).hostname}>`,
  };
}

/**
 * True for e-mails that count against the allowance of the workspace. Chosen: every e-mail counts unless it is sent to
 * the verified address of its account. A caller may have typed any other address, and can repeat such e-mails.
 * `email_changed` is sent to the previous address, once per verified change, and is always sent.
 */
const COUNTS_AGAINST_ALLOWANCE = sql`letter <> 'email_changed' AND NOT EXISTS (
  SELECT FROM users WHERE users.workspace_id = outgoing_mail.workspace_id AND users.id = outgoing_mail.user_id
    AND users.email = outgoing_mail.email AND users.email_verified_at IS NOT NULL)`;

/** Schedule that sends the due e-mails. */
export const { schedule: deliverMail } = mailQueue<Db, OutgoingMail>({
  schedule: DELIVER_MAIL,
  table: 'outgoing_mail',
  columns: { delivery: 'status', next_attempt_at: 'next_at', failure: 'last_error' },
  waits_s: RETRY_DELAYS_S,
  isSpent: ({ give_up_at }) => new Date(give_up_at) < clock.now(),
  counted: COUNTS_AGAINST_ALLOWANCE,
  termsOf: ({ database }, { workspace_id, recipients }) =>
    database.write(withoutCaller(DELIVER_MAIL, workspace_id), (db) => emailTerms(db, workspace_id, recipients)),
  compose: ({ database, config }: MailContext<Db>, mail, context: TransactionContext, terms) =>
    database.write(context, (db) => composeMail(db, config.PUBLIC_URL, mail, terms)),
});
