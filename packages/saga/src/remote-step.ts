/**
 * A remote step: an effect in another service's database that a command here needs, declared once as a value.
 *
 * Two databases have no common transaction. A step is therefore recorded before the request, and requested under a key
 * of its attempt. It is completed in the transaction that makes the command's own record official. If anything fails in
 * between, the table of attempts shows what may have happened there, and the sweeper completes the work.
 *
 *     requested → completed            the command has committed
 *     requested → undoing → undone     it was rejected, or abandoned for 15 s
 *     completed → undoing → undone     the command was reversed
 *     undoing → requested              it can no longer be undone (`irreversible`): the command can only be repeated
 */
import type { Sql } from '@suite/chassis/database';
import { Fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { KeyReversed } from '@suite/chassis/rpc';
import { type Attempt, attemptsIn, type AttemptClaim, type StepDatabase, type StepState } from './attempts.ts';
import type { StepContext, StepDeclaration, SweptStep } from './step-declaration.ts';
import { repairOf } from './step-repair.ts';

/** A remote step. The comments state where to call each function. */
export interface RemoteStep<Db, Rpc, Columns, Input, Answer> extends SweptStep<Db, Rpc> {
  /**
   * Call in `prepare`, inside its own `write`. Records an attempt, or shares the attempt that other callers are running
   * now. First, the caller locks the record, checks that the command still applies, and rejects what can be rejected
   * locally. A later rejection has to be undone in the other service.
   * @param given.dry_run records nothing
   * @throws `pending` while an attempt is completed or being undone
   */
  begin(db: Db, given: { caller: Caller; dry_run?: boolean }, columns: Columns): Promise<Attempt<Columns>>;
  /**
   * Call in `prepare`, after the `write` of `begin`: sends the request to the other service. A rejected attempt is
   * undone immediately, and the fault is thrown. An attempt without an answer stays requested: a retry uses the same
   * key, or the sweeper undoes it.
   * @throws `pending` if the attempt was given up in the meantime, and any error of `ask`
   */
  ask(context: StepContext<Db, Rpc>, attempt: Attempt<Columns>, input: Input): Promise<Answer>;
  /**
   * Call in `handle`, with the record locked and after checking that the command is still due: completes the attempt. A
   * caller who shared it finds the record already official, and does not complete it again. Does nothing in a dry run.
   * @throws `pending` if the attempt was given up in the meantime
   */
  complete(db: Db, attempt: Attempt<Columns>): Promise<void>;
  /**
   * Call in `handle` of the command that reverses the first one, with the record locked: makes the sweeper undo the
   * step.
   */
  undoLater(db: Db, record_id: string): Promise<void>;
  /**
   * Asserts that the record has no open attempt. Call it in commands that change or delete the locked record.
   * @throws `pending` if the record has an attempt that is not undone
   */
  assertNoneOpen(db: Db, record_id: string): Promise<void>;
  /**
   * Returns the `pending_effects` of a record: an array in SQL with a text per attempt that is requested or being
   * undone.
   * @param record_id column of the outer query
   * @param effects texts in SQL, which may use columns of the table of attempts
   */
  pendingEffects(record_id: Sql, effects: Record<'requested' | 'undoing', Sql>): Sql;
}

/** Returns true if the other service has decided: nothing happened there, and a retry would be rejected too. */
const isRefusal = (error: unknown): error is Fault =>
  error instanceof Fault && error.status < 500 && error.status !== 429;

/** Returns the part of a step that the sweeper needs, and the function that undoes an attempt. */
function undoing<Db extends StepDatabase, Rpc, Columns extends object, Input, Answer>(
  name: string,
  declaration: StepDeclaration<Db, Rpc, Columns, Input, Answer>,
) {
  const { table, irreversible = [] } = declaration;
  const attempts = attemptsIn(table);
  const keyOf = (attempt: Attempt<Columns>) => declaration.key(attempts.recordOf(attempt), attempt.number ?? 'dry_run');

  /** Undoes a claimed attempt. If the claim cannot be released, it expires. */
  async function undo(
    { rpc, write }: StepContext<Db, Rpc>,
    attempt: Attempt<Columns>,
    claim: AttemptClaim,
  ): Promise<void> {
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
  const described = {
    name,
    table,
    asks: declaration.asks,
    ...(declaration.lasting && { lasting: declaration.lasting }),
    key: declaration.key,
    is_repeatable: declaration.repeat !== undefined,
  };
  const repair = repairOf(declaration, attempts, keyOf);
  return { attempts, keyOf, undo, swept: { ...described, abandoned: attempts.abandoned, finish, repair } };
}

function remoteStep<Db extends StepDatabase, Rpc, Columns extends object, Input, Answer>(
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
        // Another caller that shared the attempt was rejected first and has given the attempt up.
        if (error.code === KeyReversed.code) throw pending();
        const claim = await write((db) => attempts.giveUp(db, attempt));
        // The caller gets the error. The sweeper undoes what cannot be undone now.
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
 * Declares remote steps, bound to the service's database and to the clients of its step.
 *
 *     const remoteStep = remoteSteps<Db, Pick<Rpc, 'inventory'>>();
 *     export const reserveGoods = remoteStep('crm.reserve-goods', { table, pending, key, lock, ask, undo });
 */
export const remoteSteps =
  <Db extends StepDatabase, Rpc>() =>
  <Columns extends object, Input, Answer>(
    name: string,
    declaration: StepDeclaration<Db, Rpc, Columns, Input, Answer>,
  ): RemoteStep<Db, Rpc, Columns, Input, Answer> =>
    remoteStep(name, declaration);
