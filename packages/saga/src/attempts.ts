/** The attempts of a remote step, as the service's own table keeps them. */
import { randomUUIDv7 } from 'node:crypto';
import { type Caller, clock, type Confined, join, raw, shareOut, type Sql, sql } from '@suite/chassis';

/** A call takes two seconds at most; for what was asked longer ago than this, nobody is waiting. */
const ABANDONED_MS = 15_000;

const abandonedBefore = () => new Date(clock.now().getTime() - ABANDONED_MS);

/** A handler's database, as far as steps need it. */
export type Statements = Confined<object>;

/**
 * The states of an attempt.
 * - `requested`: the other service is about to be asked, is being asked, or its answer was lost.
 * - `completed`: the command's transaction has committed, and this state with it.
 * - `undoing`: the other service must undo what it may have done.
 * - `undone`: it has, and the key of the attempt is spent. A new attempt may begin.
 */
export type StepState = 'requested' | 'completed' | 'undoing' | 'undone';

/** The columns that every table of attempts has, as Prisma types them. */
interface AttemptRow {
  id: string;
  workspace_id: string;
  state: string;
  /** The user on whose behalf the other service is asked, and later asked to undo. */
  asked_by: string;
  /** When the attempt came into its state, or was asked for again. */
  since: Date;
  /** While somebody undoes the attempt: until when nobody else does. */
  claimed_until: Date | null;
}

type ColumnOf<Row, Type> = { [Name in keyof Row]: Row[Name] extends Type ? Name : never }[keyof Row] & string;

/** A table of attempts. `Columns` are the columns that the service itself gives and reads. */
export interface StepTable<Columns> {
  readonly name: string;
  readonly record: keyof Columns & string;
  readonly attempt: string;
  readonly states: Readonly<Record<StepState, string>>;
}

/**
 * Describes a table of attempts. Its columns are checked against the model that Prisma generates for it:
 * `stepTable<OrderReservation, 'sales_order_id'>('order_reservations', { record: 'sales_order_id', … })`.
 *
 * The table has a unique key on workspace, record and attempt, and a unique index on workspace and record over the attempts
 * that are not undone: a record has one open attempt at most. An index on `since` over the requested and undoing attempts
 * serves the sweeper.
 * @param layout.record the column with the id of the record that a command changes
 * @param layout.attempt the column with the number of the attempt, from 1
 * @param layout.states how the column `state` spells the states
 */
export const stepTable = <Row extends AttemptRow, Own extends ColumnOf<Row, string>>(
  name: string,
  layout: { record: Own; attempt: ColumnOf<Row, number>; states: Record<StepState, string> },
): StepTable<Pick<Row, Own>> => ({ name, ...layout });

/** One attempt of a step. */
export interface Attempt<Columns> {
  columns: Columns;
  /** Null in a dry run, of which nothing is recorded. */
  number: number | null;
}

/** The parts of a statement on a table of attempts. */
function partsOf<Columns>(table: StepTable<Columns>) {
  // States stand in the statements as words, so that partial indexes serve prepared statements, too.
  const word = (state: StepState): Sql => raw(`'${table.states[state]}'`);
  const words = (states: readonly StepState[]): Sql => join(states.map(word));
  const recordOf = ({ columns }: { columns: Columns }) => columns[table.record] as string;
  return { name: raw(table.name), record: raw(table.record), number: raw(table.attempt), word, words, recordOf };
}

/** The right of one process to undo an attempt, until this moment. Nobody else undoes it before. */
export type Claim = Date;

/**
 * The statements of those who undo the attempts of a table. An attempt is undone under a claim: a second call that undoes it
 * could arrive after the command was repeated, and undo what is official by then.
 */
function claimsOf<Columns extends object>(table: StepTable<Columns>) {
  const { name, record, number, word, recordOf } = partsOf(table);
  const isFree = () => sql`(claimed_until IS NULL OR claimed_until <= ${clock.now()})`;
  const due = () => sql`
    ((state = ${word('undoing')} AND ${isFree()}) OR (state = ${word('requested')} AND since <= ${abandonedBefore()}))`;
  const claimed = async (db: Statements, attempt: Attempt<Columns>, condition: Sql): Promise<Claim | undefined> => {
    const claim = new Date(clock.now().getTime() + ABANDONED_MS);
    const rows = await db.rows(sql`
      UPDATE ${name} SET state = ${word('undoing')}, claimed_until = ${claim},
        since = CASE state WHEN ${word('undoing')} THEN since ELSE ${clock.now()} END
      WHERE ${record} = ${recordOf(attempt)}::uuid AND ${number} = ${attempt.number} AND ${condition} RETURNING id`);
    return rows.length > 0 ? claim : undefined;
  };
  return {
    /**
     * Finds the attempts that must be undone and that nobody is undoing, and those that nobody asks for any more.
     * @param notPostponed the condition that they were not put off
     */
    abandoned: (limit: number, notPostponed: Sql): Sql =>
      shareOut(
        sql`SELECT *, ${number} AS attempt_number FROM ${name} WHERE ${due()} AND ${notPostponed}`,
        sql`coalesce(claimed_until, since), id`,
        limit,
      ),

    /** Claims an attempt that `abandoned` found, unless somebody else has. */
    claim: (db: Statements, attempt: Attempt<Columns>) => claimed(db, attempt, due()),

    /** Gives an attempt up that was refused, and claims it. */
    giveUp: (db: Statements, attempt: Attempt<Columns>) => claimed(db, attempt, sql`state = ${word('requested')}`),

    /** Ends a claim with the state that the attempt has now. */
    async release(db: Statements, attempt: Attempt<Columns>, claim: Claim, to: StepState): Promise<void> {
      const now = clock.now();
      // An attempt that is still to be undone goes behind the others.
      const ended = to === 'undoing' ? sql`claimed_until = ${now}` : sql`claimed_until = NULL, since = ${now}`;
      await db.rows(sql`
        UPDATE ${name} SET state = ${word(to)}, ${ended}
        WHERE ${record} = ${recordOf(attempt)}::uuid AND ${number} = ${attempt.number}
          AND state = ${word('undoing')} AND claimed_until = ${claim}`);
    },
  };
}

/** The statements that change the attempts of a table. */
function changesOf<Columns extends object>(table: StepTable<Columns>) {
  const { name, record, number, word, words, recordOf } = partsOf(table);
  return {
    /** Inserts the next attempt, unless one is open. Returns its number. */
    async insert(db: Statements, caller: Caller, columns: Columns): Promise<number | undefined> {
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

    /** Finds the attempt that others are asking for now, and marks that it is asked for again. Returns its number. */
    async share(db: Statements, columns: Columns): Promise<number | undefined> {
      const [shared] = await db.rows<{ number: number }>(sql`
        UPDATE ${name} SET since = ${clock.now()}
        WHERE ${record} = ${recordOf({ columns })}::uuid AND state = ${word('requested')} RETURNING ${number} AS number`);
      return shared?.number;
    },

    /** Completes an attempt. Returns false where it is not asked for any more. */
    async complete(db: Statements, attempt: Attempt<Columns>): Promise<boolean> {
      const rows = await db.rows(sql`
        UPDATE ${name} SET state = ${word('completed')}, since = ${clock.now()}
        WHERE ${record} = ${recordOf(attempt)}::uuid AND ${number} = ${attempt.number} AND state = ${word('requested')}
        RETURNING id`);
      return rows.length > 0;
    },

    /** Marks all attempts of a record as to be undone. */
    undoAll: (db: Statements, record_id: string) =>
      db.rows(sql`
        UPDATE ${name} SET state = ${word('undoing')}, since = ${clock.now()}
        WHERE ${record} = ${record_id}::uuid AND state IN (${words(['requested', 'completed'])})`),
  };
}

/** The statements on the attempts of a table. */
export function attemptsIn<Columns extends object>(table: StepTable<Columns>) {
  const { name, record, word, words, recordOf } = partsOf(table);
  return {
    ...changesOf(table),
    ...claimsOf(table),
    recordOf,

    /** Whether a record has an attempt that is not undone. */
    async isOpen(db: Statements, record_id: string): Promise<boolean> {
      const rows = await db.rows(sql`
        SELECT id FROM ${name} WHERE ${record} = ${record_id}::uuid AND state <> ${word('undone')}`);
      return rows.length > 0;
    },

    /** A text per attempt of a record that is under way. */
    underWay: (record_id: Sql, { requested, undoing }: Record<'requested' | 'undoing', Sql>): Sql => sql`
      ARRAY(SELECT CASE WHEN state = ${word('undoing')} THEN ${undoing} ELSE ${requested} END
      FROM ${name} WHERE ${name}.${record} = ${record_id} AND state IN (${words(['requested', 'undoing'])}))`,
  };
}
