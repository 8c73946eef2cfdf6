/** The attempts of a remote step, stored in a table of the service. */
import { randomUUIDv7 } from 'node:crypto';
import { type WorkspaceDatabase, join, raw, type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { rotateByWorkspace } from '@suite/chassis/service';

/** Age after which a request counts as abandoned. A call takes two seconds at most. */
const ABANDONED_MS = 15_000;

const abandonedBefore = () => new Date(clock.now().getTime() - ABANDONED_MS);

/** A handler's database, with the functions that steps need. */
export type StepDatabase = WorkspaceDatabase<object>;

/**
 * The states of an attempt.
 * - `requested`: the request to the other service is pending or in progress, or its response was lost.
 * - `completed`: the transaction of the command has committed, together with this state.
 * - `undoing`: the other service must undo the step if it has done it.
 * - `undone`: the other service has undone the step, and the key of the attempt is invalid. A new attempt may begin.
 */
export type StepState = 'requested' | 'completed' | 'undoing' | 'undone';

/** The columns that all attempt tables have, with Prisma's types. */
interface AttemptRow {
  id: string;
  workspace_id: string;
  state: string;
  /** The user for whom the other service is called, both for the step and for its undo. */
  asked_by: string;
  /** Start of the current state, or time of the last repeated request. */
  since: Date;
  /** Claim for undoing the attempt: until then, no other process undoes it. Null if there is none. */
  claimed_until: Date | null;
}

type ColumnOf<Row, Type> = { [Name in keyof Row]: Row[Name] extends Type ? Name : never }[keyof Row] & string;

/** A table of attempts. `Columns` are the columns that the service writes and reads. */
export interface StepTable<Columns> {
  readonly name: string;
  readonly record: keyof Columns & string;
  readonly attempt: string;
  readonly states: Readonly<Record<StepState, string>>;
}

/**
 * Describes a table of attempts. Its columns are checked against its Prisma model: `stepTable<OrderReservation,
 * 'sales_order_id'>('order_reservations', { record: 'sales_order_id', … })`.
 *
 * The table has a unique key on workspace, record and attempt. A unique index on workspace and record covers the
 * attempts that are not undone: a record has at most one open attempt. An index on `since` over the requested and
 * undoing attempts serves the sweeper.
 * @param layout.record column with the ID of the record that a command changes
 * @param layout.attempt column with the attempt number, from 1
 * @param layout.states values of the column `state`
 */
export const stepTable = <Row extends AttemptRow, Own extends ColumnOf<Row, string>>(
  name: string,
  layout: { record: Own; attempt: ColumnOf<Row, number>; states: Record<StepState, string> },
): StepTable<Pick<Row, Own>> => ({ name, ...layout });

/** An attempt of a remote step. */
export interface Attempt<Columns> {
  columns: Columns;
  /** Null in a dry run, which records nothing. */
  number: number | null;
}

/** Returns the SQL fragments for statements on a table of attempts. */
function partsOf<Columns>(table: StepTable<Columns>) {
  // Statements contain states as literals, so that partial indexes also serve prepared statements.
  const word = (state: StepState): Sql => raw(`'${table.states[state]}'`);
  const words = (states: readonly StepState[]): Sql => join(states.map(word));
  const recordOf = ({ columns }: { columns: Columns }) => columns[table.record] as string;
  return { name: raw(table.name), record: raw(table.record), number: raw(table.attempt), word, words, recordOf };
}

/** Claim of one process to undo an attempt, until this time. No other process undoes it before. */
export type AttemptClaim = Date;

/**
 * Creates the statements for undoing the attempts of a table. An attempt is undone under a claim. Otherwise a second
 * undo call could arrive after the command was repeated, and undo a record that is official by then.
 */
function claimsOf<Columns extends object>(table: StepTable<Columns>) {
  const { name, record, number, word, recordOf } = partsOf(table);
  const isFree = () => sql`(claimed_until IS NULL OR claimed_until <= ${clock.now()})`;
  const due = () => sql`
    ((state = ${word('undoing')} AND ${isFree()}) OR (state = ${word('requested')} AND since <= ${abandonedBefore()}))`;
  const claimed = async (
    db: StepDatabase,
    attempt: Attempt<Columns>,
    condition: Sql,
  ): Promise<AttemptClaim | undefined> => {
    const claim = new Date(clock.now().getTime() + ABANDONED_MS);
    const rows = await db.rows(sql`
      UPDATE ${name} SET state = ${word('undoing')}, claimed_until = ${claim},
        since = CASE state WHEN ${word('undoing')} THEN since ELSE ${clock.now()} END
      WHERE ${record} = ${recordOf(attempt)}::uuid AND ${number} = ${attempt.number} AND ${condition} RETURNING id`);
    return rows.length > 0 ? claim : undefined;
  };
  return {
    /**
     * Finds attempts that must be undone and are not claimed, and requested attempts that were abandoned.
     * @param notPostponed condition that they are not postponed
     */
    abandoned: (limit: number, notPostponed: Sql): Sql =>
      rotateByWorkspace(
        sql`SELECT *, ${number} AS attempt_number FROM ${name} WHERE ${due()} AND ${notPostponed}`,
        sql`coalesce(claimed_until, since), id`,
        limit,
      ),

    /** Claims an attempt that `abandoned` found, unless another process has claimed it. */
    claim: (db: StepDatabase, attempt: Attempt<Columns>) => claimed(db, attempt, due()),

    /** Marks a rejected attempt as to be undone, and claims it. */
    giveUp: (db: StepDatabase, attempt: Attempt<Columns>) => claimed(db, attempt, sql`state = ${word('requested')}`),

    /** Releases a claim and stores the new state of the attempt. */
    async release(db: StepDatabase, attempt: Attempt<Columns>, claim: AttemptClaim, to: StepState): Promise<void> {
      const now = clock.now();
      // Moves an attempt that must still be undone behind the others.
      const ended = to === 'undoing' ? sql`claimed_until = ${now}` : sql`claimed_until = NULL, since = ${now}`;
      await db.rows(sql`
        UPDATE ${name} SET state = ${word(to)}, ${ended}
        WHERE ${record} = ${recordOf(attempt)}::uuid AND ${number} = ${attempt.number}
          AND state = ${word('undoing')} AND claimed_until = ${claim}`);
    },
  };
}

/** Returns the statements that change the attempts of a table. */
function changesOf<Columns extends object>(table: StepTable<Columns>) {
  const { name, record, number, word, words, recordOf } = partsOf(table);
  return {
    /** Inserts the next attempt, unless one is open. Returns its number. */
    async insert(db: StepDatabase, caller: Caller, columns: Columns): Promise<number | undefined> {
      const id = recordOf({ columns });
      const { [table.record]: _, ...own } = columns;
      const names = [table.record, ...Object.keys(own)].map((column) => raw(column));
      const values = [sql`${id}::uuid`, ...Object.values(own).map((value) => sql`${value}`)];
      const [begun] = await db.rows<{ number: number }>(sql`
        INSERT INTO ${name} (id, ${join(names)}, ${number}, state, asked_by, since)
        SELECT ${randomUUIDv7()}::uuid, ${join(values)}, coalesce(max(${number}), 0) + 1, ${word('requested')},
          ${caller.user_id}::uuid, ${clock.now()}
        FROM ${name} WHERE ${record} = ${id}::uuid
        HAVING coalesce(bool_and(state = ${word('undone')}), TRUE) RETURNING ${number} AS number`);
      return begun?.number;
    },

    /** Finds the requested attempt of other callers, and marks it as requested again. Returns its number. */
    async share(db: StepDatabase, columns: Columns): Promise<number | undefined> {
      const [shared] = await db.rows<{ number: number }>(sql`
        UPDATE ${name} SET since = ${clock.now()}
        WHERE ${record} = ${recordOf({ columns })}::uuid AND state = ${word('requested')} RETURNING ${number} AS number`);
      return shared?.number;
    },

    /** Completes an attempt. Returns false if it is no longer in the state `requested`. */
    async complete(db: StepDatabase, attempt: Attempt<Columns>): Promise<boolean> {
      const rows = await db.rows(sql`
        UPDATE ${name} SET state = ${word('completed')}, since = ${clock.now()}
        WHERE ${record} = ${recordOf(attempt)}::uuid AND ${number} = ${attempt.number} AND state = ${word('requested')}
        RETURNING id`);
      return rows.length > 0;
    },

    /** Marks all attempts of a record for undo. */
    undoAll: (db: StepDatabase, record_id: string) =>
      db.rows(sql`
        UPDATE ${name} SET state = ${word('undoing')}, since = ${clock.now()}
        WHERE ${record} = ${record_id}::uuid AND state IN (${words(['requested', 'completed'])})`),
  };
}

/** Returns the statements on the attempts of a table. */
export function attemptsIn<Columns extends object>(table: StepTable<Columns>) {
  const { name, record, number, word, words, recordOf } = partsOf(table);
  return {
    ...changesOf(table),
    ...claimsOf(table),
    recordOf,

    /** Returns true if a record has an attempt that is not undone. */
    async isOpen(db: StepDatabase, record_id: string): Promise<boolean> {
      const rows = await db.rows(sql`
        SELECT id FROM ${name} WHERE ${record} = ${record_id}::uuid AND state <> ${word('undone')}`);
      return rows.length > 0;
    },

    /** Returns the state of an attempt, as the table names it. Undefined for an unknown attempt. */
    async stateOf(db: StepDatabase, attempt: Attempt<Columns>): Promise<string | undefined> {
      const [row] = await db.rows<{ state: string }>(sql`
        SELECT state FROM ${name} WHERE ${record} = ${recordOf(attempt)}::uuid AND ${number} = ${attempt.number}`);
      return row?.state;
    },

    /** Returns SQL for a text per open attempt of a record. */
    underWay: (record_id: Sql, { requested, undoing }: Record<'requested' | 'undoing', Sql>): Sql => sql`
      ARRAY(SELECT CASE WHEN state = ${word('undoing')} THEN ${undoing} ELSE ${requested} END
      FROM ${name} WHERE ${name}.${record} = ${record_id} AND state IN (${words(['requested', 'undoing'])}))`,
  };
}
