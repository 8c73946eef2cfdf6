/**
 * E-mails that commands queue as rows, in the transaction of the change that they report. A schedule delivers them.
 * Each e-mail is retried with growing delays, and finally fails. Each service decides on content and recipients.
 */
import { type WorkspaceDatabase, type TransactionContext, type Sql, sql } from '@suite/chassis/database';
import type { Log } from '@suite/chassis/runtime';
import { runDueWork, declareSchedule, findEverywhere, jobTransaction, type JobContext } from '@suite/chassis/service';
import { BATCH, COLUMNS, type IsCounted, mailStatements, type Outcome, type Wait } from './mail-statements.ts';
import { type SendingTerms, addSenderAndFooter, type WorkspaceEmail } from './workspace-email.ts';

export { type SendingTerms, senderAddress, linkParagraph, pageOf, type WorkspaceEmail } from './workspace-email.ts';

/**
 * Columns that a table of e-mails has in addition to the service's own. Defaults: `delivery` is `queued`, `attempts` is
 * 0, and `next_attempt_at` is now. An index on workspace and `next_attempt_at` over queued e-mails serves the schedule.
 */
export interface QueuedMail {
  id: string;
  workspace_id: string;
  /** queued | sent | failed, and dropped if an e-mail can be withdrawn */
  delivery: string;
  /** Number of attempts. */
  attempts: number;
  next_attempt_at: Date;
  sent_at: Date | null;
  /** Error of the last failed attempt. */
  failure: string | null;
}

/** Tools for writing and sending an e-mail. */
export type MailContext<Db, Rpc = unknown> = Pick<
  JobContext<Db, Rpc>,
  'database' | 'mailer' | 'config' | 'rpc' | 'storage' | 'stopping'
> & {
  log: Log;
};

/** A service's table of e-mails, and the functions that write them. */
interface QueueOptions<Db, Row, Rpc> {
  /** The name of the schedule, `<service>.<action>`. */
  schedule: string;
  table: string;
  /**
   * Writes an e-mail when it is sent, not when it is queued: the content is current, and no working link is stored. By
   * default, the Message-ID is made from the e-mail's ID, so a duplicate after a crash is recognised.
   * @returns undefined to withdraw the e-mail
   */
  compose(
    tools: MailContext<Db, Rpc>,
    mail: Row,
    context: TransactionContext,
    terms: SendingTerms,
  ): Promise<WorkspaceEmail | undefined>;
  /**
   * Condition on the table: true for e-mails that count against the e-mail allowance of the workspace. Defaults to all.
   * False for an e-mail that the command has already counted, or that is always sent.
   */
  counted?: Sql;
  /** Returns the number of recipients of an e-mail that counts. Defaults to 1. */
  recipientsOf?(mail: Row): number;
  /** Returns the sending terms of an e-mail. Asks platform by default. */
  termsOf?(tools: MailContext<Db, Rpc>, request: { workspace_id: string; recipients: number }): Promise<SendingTerms>;
  /** True if no person wrote the e-mails. They carry a header that prevents automatic replies. */
  is_automatic?: boolean;
  /** Runs in the transaction that records an e-mail as sent or failed. */
  ended?(db: Db, mail: Row, delivery: 'sent' | 'failed'): Promise<unknown>;
  /** Interval at which the schedule looks for due e-mails. */
  interval_ms?: number;
  /** Waits after the first, second, … attempt, in seconds. The last one is repeated. */
  waits_s?: readonly number[];
  /** Returns true if an e-mail has finally failed. Defaults to one more attempt than there are delays. */
  isSpent?(mail: Row): boolean;
  /** The column names of a table that is older than this package. */
  columns?: { delivery: string; next_attempt_at: string; failure: string };
}

/** Columns of an e-mail that the queue itself reads. */
type Claimed = Pick<QueuedMail, 'id' | 'workspace_id' | 'attempts'>;
const INTERVAL_MS = 5_000;
/** The wait before the terms of an e-mail are requested again, in seconds. */
const TERMS_WAIT_S = 60;
const WAITS_S = [1, 5, 30, 120, 480].map((minutes) => minutes * 60);
const AUTOMATIC = { headers: { 'Auto-Submitted': 'auto-generated' } };

/** The method of platform that the queue calls. */
interface PlatformRpc {
  platform: { prepareEmail(request: { workspace_id: string; recipients: number }): Promise<SendingTerms> };
}

/** The options that an attempt needs. */
type Attempted<Db, Row, Rpc> = Required<
  Pick<QueueOptions<Db, Row, Rpc>, 'schedule' | 'compose' | 'is_automatic' | 'isSpent' | 'recipientsOf' | 'termsOf'>
>;

/** Returns a function that writes and sends an e-mail once. */
function attemptsOf<Db, Row extends Claimed, Rpc>({
  schedule,
  compose,
  is_automatic,
  isSpent,
  recipientsOf,
  termsOf,
}: Attempted<Db, Row, Rpc>) {
  const [service] = schedule.split('.');
  const envelopeOf = ({ id }: Row) => ({ message_id: `<${id}@${service}.suite>`, ...(is_automatic && AUTOMATIC) });

  /** Counts the recipients at the first attempt. @returns the terms, or undefined if platform fails */
  async function countedTerms(tools: MailContext<Db, Rpc>, mail: Row & IsCounted): Promise<SendingTerms | undefined> {
    try {
      const recipients = mail.is_counted && mail.attempts <= 1 ? recipientsOf(mail) : 0;
      return await termsOf(tools, { workspace_id: mail.workspace_id, recipients });
    } catch (error) {
      tools.log.warn({ mail_id: mail.id, err: error }, 'Sending terms unavailable; e-mail postponed');
      return undefined;
    }
  }

  /** Writes and sends an e-mail. An e-mail that cannot be written fails without stopping others. */
  return async (
    tools: MailContext<Db, Rpc>,
    mail: Row & IsCounted,
    context: TransactionContext,
  ): Promise<Outcome | Wait> => {
    const terms = await countedTerms(tools, mail);
    // Waiting does not count as an attempt. The first attempt with terms counts the recipients, and retries follow such
    // an attempt.
    if (!terms) return { wait_s: TERMS_WAIT_S, lacks: 'terms' };
    if (terms.retry_after_s > 0) return { wait_s: terms.retry_after_s, lacks: 'allowance' };
    try {
      const written = await compose(tools, mail, context, terms);
      if (!written) return { delivery: 'dropped', failure: null };
      await tools.mailer.send(addSenderAndFooter({ ...envelopeOf(mail), ...written }, terms, tools.config.MAIL_FROM));
      return { delivery: 'sent', failure: null };
    } catch (error) {
      tools.log.warn({ mail_id: mail.id, err: error }, 'E-mail not delivered');
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
      return { delivery: isSpent(mail) ? 'failed' : 'queued', failure: reason };
    }
  };
}

/** Creates the queue for a table of e-mails. `deliver` sends a batch of due e-mails; `schedule` repeats that. */
export function mailQueue<Db extends WorkspaceDatabase<object>, Row extends Claimed, Rpc = unknown>({
  schedule: name,
  table,
  compose,
  is_automatic = false,
  ended,
  interval_ms = INTERVAL_MS,
  waits_s = WAITS_S,
  isSpent = ({ attempts }) => attempts > waits_s.length,
  columns = COLUMNS,
  counted = sql`TRUE`,
  recipientsOf = () => 1,
  termsOf = ({ rpc }, request) => (rpc(null, name) as unknown as PlatformRpc).platform.prepareEmail(request),
}: QueueOptions<Db, Row, Rpc>) {
  const statements = mailStatements<Db, Row>({ schedule: name, table, columns, waits_s, counted });
  const { due: dueMails, claim, record, postpone } = statements;

  const attempt = attemptsOf({ schedule: name, compose, is_automatic, isSpent, recipientsOf, termsOf });

  /** Records the result of an attempt and its consequences. */
  const settle = (db: Db, mail: Row, outcome: Outcome | Wait): Promise<unknown> =>
    'wait_s' in outcome ? postpone(db, mail.id, outcome) : conclude(db, mail, outcome);

  async function conclude(db: Db, mail: Row, outcome: Outcome): Promise<void> {
    const isRecorded = await record(db, mail.id, outcome);
    const { delivery: end } = outcome;
    if (isRecorded && (end === 'sent' || end === 'failed')) await ended?.(db, mail, end);
  }

  /** Delivers a batch of due e-mails and returns their number. A crash may send one twice, but never loses one. */
  async function deliver(tools: MailContext<Db, Rpc>): Promise<number> {
    const { database } = tools;
    const due = await findEverywhere<Pick<Row, 'id' | 'workspace_id'>>(database, name, dueMails());
    await runDueWork(tools, name, due, async ({ id, workspace_id }) => {
      const context = jobTransaction(name, workspace_id);
      const mail = await database.write(context, (db) => claim(db, id));
      if (!mail) return;
      const outcome = await attempt(tools, mail, context);
      await database.write(context, (db) => settle(db, mail, outcome));
    });
    return due.length;
  }

  async function deliverAll(tools: MailContext<Db, Rpc>): Promise<void> {
    while ((await deliver(tools)) >= BATCH && !tools.stopping?.aborted);
  }

  return { deliver, schedule: declareSchedule(name, interval_ms, deliverAll) };
}
