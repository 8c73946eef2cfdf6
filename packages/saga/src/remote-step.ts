/**
 * A remote step: an effect in another service's database that a command here needs, declared once as a value.
 *
 * Two databases have no common transaction. So a step is recorded before it is asked for, asked for under a key of its
 * attempt, and completed in the transaction that makes the command's own record official. Whatever breaks in between,
 * the table of attempts says what may have happened there, and the sweeper brings it to an end.
 *
 *     requested → completed            the command has committed
 *     requested → undoing → undone     it was refused, or nobody came back within 15 s
 *     completed → undoing → undone     the command was taken back
 *     undoing → requested              it cannot be undone any more (`irreversible`): the command can only be repeated
 */
import { type Caller, Fault, type FaultMaker, KeyReversed, type Sql } from '@suite/chassis';
import { type Attempt, attemptsIn, type Claim, type Statements, type StepState, type StepTable } from './attempts.ts';

/** Works in a transaction of its own, which is committed before this returns. */
export type Write<Db> = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** How the other service is reached for one attempt. */
interface Asked<Rpc> {
  rpc: Rpc;
  /** Goes out as the `idempotency_key`. */
  key: string;
}

/** The declaration of a remote step. */
export interface StepDeclaration<Db, Rpc, Columns, Input, Answer> {
  table: StepTable<Columns>;
  /** The fault of who comes while an attempt is being undone. It passes: `fault(409, …, { retryable: true })`. */
  pending: FaultMaker;
  /**
   * The key under which the other service is asked. No other step may use the same: the ones of this service that ask the
   * same method must differ in it.
   */
  key(record_id: string, attempt: number | 'dry_run'): string;
  /** Locks the record, as commands do that change it: the sweeper never gives up what a command is about to complete. */
  lock(db: Db, columns: Columns): Promise<unknown>;
  /**
   * Asks the other service, whose method is idempotent by `key` and answers a repeat as it answered first. With `dry_run` it
   * must leave no trace there.
   */
  ask(given: Asked<Rpc> & { dry_run: boolean }, input: Input): Promise<Answer>;
  /**
   * Has the other service undo what it did under `key`, if it did anything. It must be repeatable, must also be possible for
   * a caller who is known by his id only, and spends the key: the method that `ask` calls answers `key_reversed` (409) to
   * a call that arrives later.
   */
  undo(given: Asked<Rpc>, columns: Columns): Promise<unknown>;
  /** The faults of `undo` that say that it is too late. All other failures are repeated until `undo` succeeds. */
  irreversible?: readonly FaultMaker[];
}

/** The part of `prepare`'s context that a step needs. */
interface StepContext<Db, Rpc> {
  rpc: Rpc;
  write: Write<Db>;
}

/** An attempt that the sweeper found. */
export interface OpenAttempt {
  id: string;
  workspace_id: string;
  asked_by: string;
  attempt_number: number;
}

/** The part of a step that the sweeper needs. */
export interface SweptStep<Db, Rpc> {
  name: string;
  /**
   * Finds the attempts that must be undone and that nobody is undoing, and those that nobody asks for any more.
   * @param notPostponed the condition that they were not put off
   */
  abandoned(limit: number, notPostponed: Sql): Sql;
  /** Undoes an attempt that was found, unless somebody else does or it has moved on. */
  finish(context: { rpc: () => Rpc; write: Write<Db> }, found: OpenAttempt): Promise<void>;
}

/** A remote step. The comments say where each of its functions is called. */
export interface RemoteStep<Db, Rpc, Columns, Input, Answer> extends SweptStep<Db, Rpc> {
  /**
   * In `prepare`, inside a `write` of its own: records an attempt, or shares the one that others are asking for now.
   * Before this the caller locks the record, makes sure that the command is still due, and refuses what can be refused
   * here: what is refused later has to be undone there.
   * @param given.dry_run records nothing
   * @throws `pending` while an attempt is completed or being undone
   */
  begin(db: Db, given: { caller: Caller; dry_run?: boolean }, columns: Columns): Promise<Attempt<Columns>>;
  /**
   * In `prepare`, after the `write` of `begin`: asks the other service. What it refused is undone at once, and the refusal
   * thrown. What got no answer stays requested: a retry asks under the same key, or the sweeper undoes it.
   * @throws `pending` when the attempt was given up meanwhile, and whatever `ask` throws
   */
  ask(context: StepContext<Db, Rpc>, attempt: Attempt<Columns>, input: Input): Promise<Answer>;
  /**
   * In `handle`, with the record locked and once it is clear that the command is still due: completes the attempt. A caller
   * who shared it finds the record official already, and does not complete it again. Does nothing in a dry run.
   * @throws `pending` when the attempt was given up meanwhile
   */
  complete(db: Db, attempt: Attempt<Columns>): Promise<void>;
  /** In `handle` of what takes the command back, with the record locked: has the sweeper undo the step. */
  undoLater(db: Db, record_id: string): Promise<void>;
  /** In what changes or deletes the record, which must be locked. @throws `pending` when it has an attempt that is not undone */
  assertNoneOpen(db: Db, record_id: string): Promise<void>;
  /**
   * For the `pending_effects` of a record: an array in SQL with a text per attempt that is requested or being undone.
   * @param record_id the column of the outer query
   * @param effects the text, in SQL; columns of the table of attempts may stand in it
   */
  pendingEffects(record_id: Sql, effects: Record<'requested' | 'undoing', Sql>): Sql;
}

/** Whether the other service has decided: then nothing happened there, and a retry would be refused alike. */
const isRefusal = (error: unknown): error is Fault =>
  error instanceof Fault && error.status < 500 && error.status !== 429;

/** The part of a step that the sweeper needs, and the undoing of an attempt. */
function undoing<Db extends Statements, Rpc, Columns extends object, Input, Answer>(
  name: string,
  declaration: StepDeclaration<Db, Rpc, Columns, Input, Answer>,
) {
  const { table, irreversible = [] } = declaration;
  const attempts = attemptsIn(table);
  const keyOf = (attempt: Attempt<Columns>) => declaration.key(attempts.recordOf(attempt), attempt.number ?? 'dry_run');

  /** Undoes a claimed attempt. Where the claim cannot be released, it ends by its time. */
  async function undo({ rpc, write }: StepContext<Db, Rpc>, attempt: Attempt<Columns>, claim: Claim): Promise<void> {
    const release = (to: StepState) => write((db) => attempts.release(db, attempt, claim, to));
    try {
      await declaration.undo({ rpc, key: keyOf(attempt) }, attempt.columns);
    } catch (error) {
      const isTooLate = error instanceof Fault && irreversible.some(({ code }) => code === error.code);
      await release(isTooLate ? 'requested' : 'undoing');
      throw error;
    }
    await release('undone');
  }

  const finish: SweptStep<Db, Rpc>['finish'] = async (
    { rpc, write },
    { workspace_id: _, asked_by: __, attempt_number, ...rest },
  ) => {
    const attempt = { columns: rest as Columns, number: attempt_number };
    const claim = await write(async (db) => {
      await declaration.lock(db, attempt.columns);
      return await attempts.claim(db, attempt);
    });
    if (claim) await undo({ rpc: rpc(), write }, attempt, claim);
  };
  return { attempts, keyOf, undo, swept: { name, abandoned: attempts.abandoned, finish } };
}

function remoteStep<Db extends Statements, Rpc, Columns extends object, Input, Answer>(
  name: string,
  declaration: StepDeclaration<Db, Rpc, Columns, Input, Answer>,
): RemoteStep<Db, Rpc, Columns, Input, Answer> {
  const { pending } = declaration;
  const { attempts, keyOf, undo, swept } = undoing(name, declaration);
  return {
    ...swept,
    async begin(db, { caller, dry_run = false }, columns) {
      if (dry_run) return { columns, number: null };
      const number = (await attempts.insert(db, caller, columns)) ?? (await attempts.share(db, columns));
      if (number === undefined) throw pending();
      return { columns, number };
    },
    async ask(context, attempt, input) {
      const { rpc, write } = context;
      const dry_run = attempt.number === null;
      try {
        return await declaration.ask({ rpc, key: keyOf(attempt), dry_run }, input);
      } catch (error) {
        if (dry_run || !isRefusal(error)) throw error;
        // Another caller who shared the attempt was refused before, and has given it up.
        if (error.code === KeyReversed.code) throw pending();
        const claim = await write((db) => attempts.giveUp(db, attempt));
        // The caller gets the refusal; the sweeper undoes what cannot be undone now.
        if (claim) await undo(context, attempt, claim).catch(() => undefined);
        throw error;
      }
    },
    async complete(db, attempt) {
      if (attempt.number === null) return;
      if (!(await attempts.complete(db, attempt))) throw pending();
    },
    async undoLater(db, record_id) {
      await attempts.undoAll(db, record_id);
    },
    async assertNoneOpen(db, record_id) {
      if (await attempts.isOpen(db, record_id)) throw pending();
    },
    pendingEffects: attempts.underWay,
  };
}

/**
 * How a service declares its remote steps, bound to its database and to the clients that it asks.
 *
 *     const remoteStep = remoteSteps<Db, Pick<Rpc, 'inventory'>>();
 *     export const reserveGoods = remoteStep('crm.reserve-goods', { table, pending, key, lock, ask, undo });
 */
export const remoteSteps =
  <Db extends Statements, Rpc>() =>
  <Columns extends object, Input, Answer>(
    name: string,
    declaration: StepDeclaration<Db, Rpc, Columns, Input, Answer>,
  ): RemoteStep<Db, Rpc, Columns, Input, Answer> =>
    remoteStep(name, declaration);
