/** Delivers the e-mails that commands have queued. What fails is tried again, and in the end marked as failed. */
import { clock, every, findEverywhere, type Log, type Mailer, scheduled, sql, type Tools } from '@suite/chassis';
import type { Db } from '../operations.ts';

interface Queued {
  id: string;
  workspace_id: string;
  to: string[];
  cc: string[];
  subject: string;
  body: string;
  attempts: number;
}

const SCHEDULE = 'crm.deliver-mail';
const BATCH = 20;
const ATTEMPTS_MAX = 6;
/** Half a minute after the first failure, then always twice as long. */
const FIRST_WAIT_MS = 30_000;

/** Sends a message; the id makes one that is sent twice, after a crash, recognisable as the same. */
async function send(mailer: Mailer, { id, to, cc, subject, body }: Queued): Promise<Error | null> {
  try {
    const copies = cc.length > 0 && { cc: cc.join(', ') };
    await mailer.send({ to: to.join(', '), ...copies, subject, text: body, message_id: `<${id}@crm.suite>` });
    return null;
  } catch (error) {
    return error as Error;
  }
}

/** The columns of a message after an attempt to send it. */
function afterAttempt(attempts: number, refused: Error | null) {
  const failure = refused && refused.message.slice(0, 500);
  if (failure === null) return { delivery: 'sent', sent_at: clock.now(), failure, attempts };
  if (attempts >= ATTEMPTS_MAX) return { delivery: 'failed', failure, attempts };
  const next_attempt_at = new Date(clock.now().getTime() + FIRST_WAIT_MS * 2 ** (attempts - 1));
  return { failure, attempts, next_attempt_at };
}

/** Delivers what is due. Returns how many messages were tried. */
export async function deliverMail({ database, mailer, log }: Pick<Tools<Db>, 'database' | 'mailer'> & { log: Log }) {
  const due = await findEverywhere<Queued>(
    database,
    SCHEDULE,
    sql`
      SELECT id, workspace_id, "to", cc, subject, body, attempts FROM emails
      WHERE delivery = 'queued' AND next_attempt_at <= ${clock.now()} ORDER BY next_attempt_at LIMIT ${BATCH}`,
  );
  for (const email of due) {
    const failure = await send(mailer, email);
    if (failure) log.warn({ email_id: email.id, err: failure }, 'An e-mail was not delivered.');
    await database.write(scheduled(SCHEDULE, email.workspace_id), (db) =>
      db.email.updateMany({
        where: { id: email.id, delivery: 'queued' },
        data: afterAttempt(email.attempts + 1, failure),
      }),
    );
  }
  return due.length;
}

export const deliverQueuedMail = every(SCHEDULE, 5_000, deliverMail);
