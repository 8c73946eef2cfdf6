import { clock, eachDue, every, sql, type Tools } from '@suite/chassis';
import { dueMail } from '../identity/across-workspaces.ts';
import { byItself, type Db } from '../operations.ts';
import { type About, letter } from './letter.ts';
import { makeLink } from './one-time-link.ts';

const SCHEDULE = 'platform.deliver-mail';
const AT_ONCE = 20;
const BACKOFF_MAX_S = 900;

interface Claimed {
  id: string;
  user_id: string;
  email: string;
  letter: string;
  facts: About;
}

/**
 * Takes a letter out of the queue for one attempt and writes it.
 * Chosen: the link in it is made now and not when the letter was queued. So no usable link ever lies in the database,
 * neither in clear nor encrypted, and its life begins when it is sent.
 */
async function write(db: Db, public_url: string, id: string) {
  const [claimed] = await db.rows<Claimed>(sql`
    UPDATE outgoing_mail SET attempts = attempts + 1, next_at = now() + make_interval(secs => least(${BACKOFF_MAX_S}, 5 * 2 ^ attempts))
    WHERE id = ${id}::uuid AND status = 'queued' AND next_at <= now() RETURNING id, user_id, email, letter, facts`);
  if (!claimed) return undefined;
  const { user_id, email, facts: about } = claimed;
  const { name, workspace } = await db.user.findFirstOrThrow({ where: { id: user_id }, include: { workspace: true } });
  const { link: purpose, subject, text } = letter(claimed.letter);
  const link = purpose ? await makeLink(db, public_url, purpose, user_id, email) : '';
  return {
    to: email,
    subject: subject(workspace.name),
    text: text({ name, workspace: workspace.name, link, about }),
    // The same for every attempt, so that a letter that arrives twice can be recognised.
    message_id: `<${id}@${new URL(public_url).hostname}>`,
  };
}

async function settle(db: Db, id: string, error?: unknown): Promise<void> {
  if (!error) {
    await db.outgoingMail.updateMany({
      where: { id },
      data: { status: 'sent', sent_at: clock.now(), last_error: null },
    });
    return;
  }
  const last_error = (error instanceof Error ? error.message : String(error)).slice(0, 300);
  await db.outgoingMail.updateMany({ where: { id }, data: { last_error } });
  await db.outgoingMail.updateMany({ where: { id, give_up_at: { lt: clock.now() } }, data: { status: 'failed' } });
}

/** Sends the letters that are due. A crash between sending and noting it sends a letter twice, never not at all. */
export const deliverMail = every(SCHEDULE, 1_000, async (tools: Tools<Db>) => {
  const { database, mailer, config, log } = tools;
  const due = await database.read(byItself('schedule:deliver-mail'), (db) => dueMail(db, SCHEDULE, AT_ONCE));
  await eachDue(tools, SCHEDULE, due, async ({ id, workspace_id }) => {
    const context = byItself('schedule:deliver-mail', workspace_id);
    const message = await database.write(context, (db) => write(db, config.PUBLIC_URL, id));
    if (!message) return;
    const error: unknown = await mailer.send(message).catch((reason: unknown) => reason ?? new Error('not accepted'));
    if (error) log.warn({ err: error, outgoing_mail_id: id }, 'A letter could not be sent.');
    await database.write(context, (db) => settle(db, id, error));
  });
});
