/** The statements on a table of e-mails: select due ones, claim one, and record the result. */
import { type WorkspaceDatabase, raw, type Sql, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { isNotPostponed } from '@suite/chassis/service';

/** Number of e-mails in a batch. */
export const BATCH = 20;
/** The usual names of the columns. */
export const COLUMNS = { delivery: 'delivery', next_attempt_at: 'next_attempt_at', failure: 'failure' };

/** True for an e-mail that counts against the allowance. */
export type IsCounted = { is_counted: boolean };

/** The columns after an attempt. */
export type Outcome = { delivery: 'sent' | 'failed' | 'dropped' | 'queued'; failure: string | null };

/** A wait without an attempt: without an allowance for e-mails that count, without terms for all e-mails. */
export type Wait = { wait_s: number; lacks: 'terms' | 'allowance' };

/** Table of e-mails and its columns, as parts of statements. */
type Names = Readonly<Record<'mails' | 'delivery' | 'next_attempt_at', Sql>>;

/**
 * Selects the next batch: the oldest due e-mails of each workspace, in rotation. A batch contains at least one e-mail
 * of each waiting workspace. Beyond that, it does not exceed its size. The query jumps from workspace to workspace
 * along the index.
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
        AND ${isNotPostponed(schedule, sql`workspace_id`, sql`id`)}
      ORDER BY ${next_attempt_at}, id LIMIT ${BATCH}
    ) AS own
  ), in_turns AS (SELECT *, row_number() OVER (ORDER BY turn, due_at, id) AS place FROM ready)
  SELECT id, workspace_id FROM in_turns WHERE turn = 1 OR place <= ${BATCH} ORDER BY place`;

/** Creates the statements on a table of e-mails: select due ones, claim one, and record the result. */
export function mailStatements<Db extends WorkspaceDatabase<object>, Row>({
  schedule,
  table,
  columns,
  waits_s,
  counted,
}: {
  schedule: string;
  table: string;
  counted: Sql;
  columns: typeof COLUMNS;
  waits_s: readonly number[];
}) {
  const mails = raw(table);
  const delivery = raw(columns.delivery);
  const next_attempt_at = raw(columns.next_attempt_at);
  const failure = raw(columns.failure);

  /** Records the result, unless the e-mail was withdrawn in the meantime. @returns true if it was recorded */
  async function record(db: Db, id: string, outcome: Outcome): Promise<boolean> {
    const sent_at = outcome.delivery === 'sent' ? clock.now() : null;
    const recorded = await db.rows(sql`
      UPDATE ${mails} SET ${delivery} = ${outcome.delivery}, ${failure} = ${outcome.failure}, sent_at = ${sent_at}::timestamptz
      WHERE id = ${id}::uuid AND ${delivery} = 'queued' RETURNING id`);
    return recorded.length > 0;
  }

  /** Claims an e-mail for one attempt. If this process ends, the e-mail becomes due again later. */
  async function claim(db: Db, id: string): Promise<(Row & IsCounted) | undefined> {
    const now = clock.now();
    const [mail] = await db.rows<Row & IsCounted>(sql`
      UPDATE ${mails} SET attempts = attempts + 1, ${next_attempt_at} = ${now}::timestamptz
        + make_interval(secs => (${waits_s}::int[])[least(attempts + 1, ${waits_s.length}::int)])
      WHERE id = ${id}::uuid AND ${delivery} = 'queued' AND ${next_attempt_at} <= ${now}::timestamptz
      RETURNING *, (${counted}) AS is_counted`);
    return mail;
  }

  /** Postpones the due e-mails of a workspace: all without terms, without an allowance only the ones that count. */
  const postpone = (db: Db, id: string, { wait_s, lacks }: Wait): Promise<unknown> =>
    db.rows(sql`
      UPDATE ${mails} SET attempts = attempts - (id = ${id}::uuid)::int,
        ${next_attempt_at} = ${clock.now()}::timestamptz + make_interval(secs => ${wait_s}::int)
      WHERE ${delivery} = 'queued' AND (id = ${id}::uuid OR (attempts = 0 AND ${next_attempt_at} <= ${clock.now()}
        AND (${lacks === 'terms'}::boolean OR ${counted})))`);

  const due = (): Sql => selectDue(schedule, { mails, delivery, next_attempt_at });
  return { due, claim, record, postpone };
}
