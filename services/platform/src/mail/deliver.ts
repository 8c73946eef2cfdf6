/** Delivers the letters of platform. */
import { clock, type Context } from '@suite/chassis';
import { type EmailTerms, type MailTools, mailQueue } from '@suite/mail-queue';
import type { OutgoingMail } from '../generated/client.ts';
import { byItself, type Db } from '../operations.ts';
import { emailTerms } from './email-terms.ts';
import { type About, DELIVER_MAIL, letter } from './letter.ts';
import { makeLink } from './one-time-link.ts';

/** A reader waits for such a letter: it is tried again soon, and is worth trying for as long as its kind says. */
const WAITS_S = [5, 10, 20, 40, 80, 160, 320, 640, 900];

/**
 * Writes a letter.
 * Chosen: the link in it is made now and not when the letter was queued. So no usable link ever lies in the database,
 * neither in clear nor encrypted, and its life begins when it is sent.
 */
async function write(
  db: Db,
  public_url: string,
  { id, user_id, email, letter: kind, facts }: OutgoingMail,
  terms: EmailTerms,
) {
  if (email === null) return undefined;
  const { name, workspace } = await db.user.findFirstOrThrow({ where: { id: user_id }, include: { workspace: true } });
  const { link: purpose, subject, text } = letter(kind);
  const link = purpose ? await makeLink(db, { public_url, links: terms.links }, purpose, user_id, email) : '';
  return {
    to: email,
    subject: subject(workspace.name),
    text: text({ name, workspace: workspace.name, link, about: facts as About }),
    because: `you have an account at ${workspace.name}`,
    // The same for every attempt, so that a letter that arrives twice can be recognised.
    message_id: `<${id}@${new URL(public_url).hostname}>`,
  };
}

/** The letters that are due. */
export const { schedule: deliverMail } = mailQueue<Db, OutgoingMail>({
  schedule: DELIVER_MAIL,
  table: 'outgoing_mail',
  columns: { delivery: 'status', next_attempt_at: 'next_at', failure: 'last_error' },
  waits_s: WAITS_S,
  isSpent: ({ give_up_at }) => new Date(give_up_at) < clock.now(),
  // Chosen: an invitation goes to an address that somebody has typed, so it counts. Others are sent in any case: each kind has
  // limits where it is requested.
  recipientsOf: ({ letter: kind }) => (kind === 'invitation' ? 1 : 0),
  termsOf: ({ database }, { workspace_id, recipients }) =>
    database.write(byItself(DELIVER_MAIL, workspace_id), (db) => emailTerms(db, workspace_id, recipients)),
  compose: ({ database, config }: MailTools<Db>, mail, context: Context, terms) =>
    database.write(context, (db) => write(db, config.PUBLIC_URL, mail, terms)),
});
