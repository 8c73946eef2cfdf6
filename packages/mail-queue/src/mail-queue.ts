/**
 * Mails that commands queue as rows, in the transaction of what they tell of, and that a schedule delivers: each is tried
 * again, later and later, and has failed in the end. What a mail says, and to whom, is the service's own.
 */
import {
  clock,
  type Confined,
  type Context,
  eachDue,
  every,
  findEverywhere,
  type Log,
  notPostponed,
  raw,
  type Sql,
  scheduled,
  sql,
  type Tools,
} from '@suite/chassis';
import { type EmailTerms, signedFor, type WorkspaceEmail } from './workspace-email.ts';

export { type EmailTerms, fromVia, linkLine, pageOf, type WorkspaceEmail } from './workspace-email.ts';

/**
 * The columns that a table of mails has beside the service's own, as Prisma types them. By default `delivery` is `queued`,
 * `attempts` 0 and `next_attempt_at` now; later, where a mail is to wait. An index on workspace and `next_attempt_at` over
 * the queued ones serves the schedule.
 */
export interface QueuedMail {
  id: string;
  workspace_id: string;
  /** queued | sent | failed, and dropped where a mail can be withdrawn */
  delivery: string;
  /** How often it was tried. */
  attempts: number;
  next_attempt_at: Date;
  sent_at: Date | null;
  /** Why the last attempt failed. */
  failure: string | null;
}

/** The tools that a mail is written and sent with. */
export type MailTools<Db, Rpc = unknown> = Pick<
  Tools<Db, Rpc>,
  'database' | 'mailer' | 'config' | 'rpc' | 'storage' | 'stopping'
> & {
  log: Log;
};

/** A service's table of mails, and what the service says in them. */
interface QueueOptions<Db, Row, Rpc> {
  /** The name of the schedule, `<service>.<what it does>`. */
  schedule: string;
  table: string;
  /**
   * Writes a mail. That is done when it is sent and not when it is queued: so what it says is true, and no link that works
   * lies in the database. Unless it says otherwise, its Message-ID is made of the mail's id: the same for every attempt, so that
   * one that is sent twice, after a crash, is recognised. @param context for transactions in the mail's workspace @returns undefined to withdraw it
   */
  compose(
    tools: MailTools<Db, Rpc>,
    mail: Row,
    context: Context,
    terms: EmailTerms,
  ): Promise<WorkspaceEmail | undefined>;
  /**
   * The recipients that an e-mail counts against the allowance of its workspace; 1 by default, 0 for one that was counted by
   * the command, or that is sent in any case.
   */
  recipientsOf?(mail: Row): number;
  /** Finds the terms on which an e-mail is sent. Asks platform by default. */
  termsOf?(tools: MailTools<Db, Rpc>, request: { workspace_id: string; recipients: number }): Promise<EmailTerms>;
  /** Whether no person wrote the mails, which they then tell programs, so that none answers that somebody is away. */
  is_automatic?: boolean;
  /** Follows in the transaction in which a mail has been sent, or has failed. */
  ended?(db: Db, mail: Row, delivery: 'sent' | 'failed'): Promise<unknown>;
  /** How often the schedule looks for mails that are due. */
  interval_ms?: number;
  /** Seconds to wait after the first, second, … attempt; after the last of them the last one again. */
  waits_s?: readonly number[];
  /** Whether a mail that was not accepted has failed. Otherwise it has when it was tried once more than there are waits. */
  isSpent?(mail: Row): boolean;
  /** The names of columns in a table that is older than this package. */
  columns?: { delivery: string; next_attempt_at: string; failure: string };
}

/** The columns of a mail that the queue itself reads. */
type Claimed = Pick<QueuedMail, 'id' | 'workspace_id' | 'attempts'>;

const INTERVAL_MS = 5_000;
const BATCH = 20;
/** Seconds until the terms of an e-mail are requested again. */
const TERMS_WAIT_S = 60;
const WAITS_S = [1, 5, 30, 120, 480].map((minutes) => minutes * 60);
const COLUMNS = { delivery: 'delivery', next_attempt_at: 'next_attempt_at', failure: 'failure' };

const AUTOMATIC = { headers: { 'Auto-Submitted': 'auto-generated' } };

/** Columns after an attempt. */
type Outcome = { delivery: 'sent' | 'failed' | 'dropped' | 'queued'; failure: string | null };

/** A table of mails and its columns, as parts of statements. */
type Names = Readonly<Record<'mails' | 'delivery' | 'next_attempt_at', Sql>>;

/**
 * Selects the next batch: of each workspace its oldest due e-mails, in turns. However many workspaces wait, a batch contains
 * at least one e-mail of each, and beyond that no more than its size. Jumps from workspace to workspace along the index.
 */
const selectDue = (schedule: string, { mails, delivery, next_attempt_at }: Names): Sql => sql`
  WITH RECURSIVE waiting (workspace_id) AS (
    (SELECT workspace_id FROM ${mails} WHERE ${delivery} = 'queued' ORDER BY workspace_id LIMIT 1)
    UNION ALL
    SELECT (SELECT workspace_id FROM ${mails} WHERE ${delivery} = 'queued' AND workspace_id > waiting.workspace_id
      ORDER BY workspace_id LIMIT 1)
    FROM waiting WHERE workspace_id IS NOT NULL
  ), ready AS (
    SELECT own.* FROM waiting CROSS JOIN LATERAL (
      SELECT id, workspace_id, ${next_attempt_at} AS due_at, row_number() OVER (ORDER BY ${next_attempt_at}, id) AS turn
      FROM ${mails}
      WHERE workspace_id = waiting.workspace_id AND ${delivery} = 'queued' AND ${next_attempt_at} <= ${clock.now()}
        AND ${notPostponed(schedule, sql`workspace_id`, sql`id`)}
      ORDER BY ${next_attempt_at}, id LIMIT ${BATCH}
    ) AS own
  ), in_turns AS (SELECT *, row_number() OVER (ORDER BY turn, due_at, id) AS place FROM ready)
  SELECT id, workspace_id FROM in_turns WHERE turn = 1 OR place <= ${BATCH} ORDER BY place`;

/** The statements on a table of mails: some are due, one is taken for an attempt, and how that went is recorded. */
function rowsOf<Db extends Confined<object>, Row>({
  schedule,
  table,
  columns,
  waits_s,
}: {
  schedule: string;
  table: string;
  columns: typeof COLUMNS;
  waits_s: readonly number[];
}) {
  const mails = raw(table);
  const delivery = raw(columns.delivery);
  const next_attempt_at = raw(columns.next_attempt_at);
  const failure = raw(columns.failure);

  /** Records how an attempt went, unless the mail was withdrawn meanwhile. @returns whether it was recorded */
  async function record(db: Db, id: string, outcome: Outcome): Promise<boolean> {
    const sent_at = outcome.delivery === 'sent' ? clock.now() : null;
    const recorded = await db.rows(sql`
      UPDATE ${mails} SET ${delivery} = ${outcome.delivery}, ${failure} = ${outcome.failure}, sent_at = ${sent_at}::timestamptz
      WHERE id = ${id}::uuid AND ${delivery} = 'queued' RETURNING id`);
    return recorded.length > 0;
  }

  /** Takes a mail for one attempt: nobody else sends it meanwhile and, should this process end, it is due again later. */
  async function claim(db: Db, id: string): Promise<Row | undefined> {
    const now = clock.now();
    const [mail] = await db.rows<Row>(sql`
      UPDATE ${mails} SET attempts = attempts + 1, ${next_attempt_at} = ${now}::timestamptz
        + make_interval(secs => (${waits_s}::int[])[least(attempts + 1, ${waits_s.length}::int)])
      WHERE id = ${id}::uuid AND ${delivery} = 'queued' AND ${next_attempt_at} <= ${now}::timestamptz RETURNING *`);
    return mail;
  }

  /** Postpones an e-mail that was claimed and all that are due in its workspace, because the workspace has no terms or no allowance. */
  const postpone = (db: Db, id: string, wait_s: number): Promise<unknown> =>
    db.rows(sql`
      UPDATE ${mails} SET attempts = attempts - (id = ${id}::uuid)::int,
        ${next_attempt_at} = ${clock.now()}::timestamptz + make_interval(secs => ${wait_s}::int)
      WHERE ${delivery} = 'queued' AND (id = ${id}::uuid OR (attempts = 0 AND ${next_attempt_at} <= ${clock.now()}))`);

  const due = (): Sql => selectDue(schedule, { mails, delivery, next_attempt_at });
  return { due, claim, record, postpone };
}

/** The method of platform that the queue calls. */
interface PlatformRpc {
  platform: { prepareEmail(request: { workspace_id: string; recipients: number }): Promise<EmailTerms> };
}

/** The options that an attempt needs. */
type Attempted<Db, Row, Rpc> = Required<
  Pick<QueueOptions<Db, Row, Rpc>, 'schedule' | 'compose' | 'is_automatic' | 'isSpent' | 'recipientsOf' | 'termsOf'>
>;

/** Returns a function that writes and sends a mail once. */
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

  /** Finds the terms of an e-mail, and counts its recipients with the first attempt. @returns undefined if platform fails */
  async function countedTerms(tools: MailTools<Db, Rpc>, mail: Row): Promise<EmailTerms | undefined> {
    try {
      const recipients = mail.attempts > 1 ? 0 : recipientsOf(mail);
      return await termsOf(tools, { workspace_id: mail.workspace_id, recipients });
    } catch (error) {
      tools.log.warn({ mail_id: mail.id, err: error }, 'Terms of an e-mail unavailable; waiting');
      return undefined;
    }
  }

  /** Writes and sends a mail. A mail that cannot be written fails as one that is not accepted: it stops no other. */
  return async (tools: MailTools<Db, Rpc>, mail: Row, context: Context): Promise<Outcome | { wait_s: number }> => {
    const terms = await countedTerms(tools, mail);
    // Neither is an attempt: the first attempt with terms counts the recipients, and a retry follows one that did.
    if (!terms) return { wait_s: TERMS_WAIT_S };
    if (terms.retry_after_s > 0) return { wait_s: terms.retry_after_s };
    try {
      const written = await compose(tools, mail, context, terms);
      if (!written) return { delivery: 'dropped', failure: null };
      await tools.mailer.send(signedFor({ ...envelopeOf(mail), ...written }, terms, tools.config.MAIL_FROM));
      return { delivery: 'sent', failure: null };
    } catch (error) {
      tools.log.warn({ mail_id: mail.id, err: error }, 'E-mail not delivered');
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
      return { delivery: isSpent(mail) ? 'failed' : 'queued', failure: reason };
    }
  };
}

/**
 * The e-mails of a table: `deliver` sends a batch of those that are due, in turns between workspaces, and `schedule` does so
 * again and again.
 */
export function mailQueue<Db extends Confined<object>, Row extends Claimed, Rpc = unknown>({
  schedule: name,
  table,
  compose,
  is_automatic = false,
  ended,
  interval_ms = INTERVAL_MS,
  waits_s = WAITS_S,
  isSpent = ({ attempts }) => attempts > waits_s.length,
  columns = COLUMNS,
  recipientsOf = () => 1,
  termsOf = ({ rpc }, request) => (rpc(null, name) as unknown as PlatformRpc).platform.prepareEmail(request),
}: QueueOptions<Db, Row, Rpc>) {
  const { due: dueMails, claim, record, postpone } = rowsOf<Db, Row>({ schedule: name, table, columns, waits_s });

  const attempt = attemptsOf({ schedule: name, compose, is_automatic, isSpent, recipientsOf, termsOf });

  /** Records how an attempt went, with what follows from it. */
  const settle = (db: Db, mail: Row, outcome: Outcome | { wait_s: number }): Promise<unknown> =>
    'wait_s' in outcome ? postpone(db, mail.id, outcome.wait_s) : conclude(db, mail, outcome);

  async function conclude(db: Db, mail: Row, outcome: Outcome): Promise<void> {
    const isRecorded = await record(db, mail.id, outcome);
    const { delivery: end } = outcome;
    if (isRecorded && (end === 'sent' || end === 'failed')) await ended?.(db, mail, end);
  }

  /** Delivers a batch of what is due. Returns how many mails were found. A crash after sending sends a mail twice, never not at all. */
  async function deliver(tools: MailTools<Db, Rpc>): Promise<number> {
    const { database } = tools;
    const due = await findEverywhere<Pick<Row, 'id' | 'workspace_id'>>(database, name, dueMails());
    await eachDue(tools, name, due, async ({ id, workspace_id }) => {
      const context = scheduled(name, workspace_id);
      const mail = await database.write(context, (db) => claim(db, id));
      if (!mail) return;
      const outcome = await attempt(tools, mail, context);
      await database.write(context, (db) => settle(db, mail, outcome));
    });
    return due.length;
  }

  async function deliverAll(tools: MailTools<Db, Rpc>): Promise<void> {
    while ((await deliver(tools)) >= BATCH && !tools.stopping?.aborted);
  }

  return { deliver, schedule: every(name, interval_ms, deliverAll) };
}
