/** The declaration of a remote step, and the part of a step that the sweeper needs. */
import type { Sql } from '@suite/chassis/database';
import type { FaultMaker } from '@suite/chassis/faults';
import type { DeclaredStep } from '@suite/chassis/service';
import type { StepTable } from './attempts.ts';

/** Runs work in a transaction of its own, which commits before this returns. */
export type StepTransaction<Db> = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** Client and key for one attempt. */
interface StepRequest<Rpc> {
  rpc: Rpc;
  /** The key, sent as `idempotency_key`. */
  key: string;
}

/** The declaration of a remote step. */
export interface StepDeclaration<Db, Rpc, Columns, Input, Answer> {
  table: StepTable<Columns>;
  /**
   * The fault for callers while an attempt is being undone. The condition is temporary: `fault(409, …, { retryable:
   * true })`.
   */
  pending: FaultMaker;
  /**
   * Returns the idempotency key for the other service. No other step may use the same key: steps of this service that
   * call the same method must have different keys.
   */
  key(record_id: string, attempt: number | 'dry_run'): string;
  /**
   * Locks the record, like the commands that change it. The sweeper therefore never gives up an attempt that a command
   * is about to complete.
   */
  lock(db: Db, columns: Columns): Promise<unknown>;
  /**
   * Calls the other service. Its method must be idempotent by `key` and return the same response for a repeat. With
   * `dry_run` it must not change anything.
   */
  ask(given: StepRequest<Rpc> & { dry_run: boolean }, input: Input): Promise<Answer>;
  /**
   * Makes the other service undo its effect under `key`, if there is one. The call must be repeatable, must also work
   * for a caller who is known by ID only, and invalidates the key: the method that `ask` calls returns `key_reversed`
   * (409) to a later call.
   */
  undo(given: StepRequest<Rpc>, columns: Columns): Promise<unknown>;
  /**
   * The faults of `undo` that mean that the step is irreversible. All other failures are retried until `undo` succeeds.
   */
  irreversible?: readonly FaultMaker[];
  /**
   * The called service and its methods, with the columns of an attempt that each method implies. After a restore, a stored
   * key and its method are all that is known of an attempt.
   */
  asks: { service: string; methods: Readonly<Record<string, Partial<Columns>>> };
  /** For an effect that the other service can delete. Defaults to an effect that lasts. */
  lasting?: DeclaredStep['lasting'];
  /**
   * Reads the input of `ask` again from the locked record of a completed attempt, for a request that the other service has
   * lost in a restore. The input must be the same as in the first request. Without this function, operators repair the
   * difference by hand. @throws an Error with what to do if the record does not contain the input
   */
  repeat?(db: Db, columns: Columns): Promise<Input>;
}

/** The part of `prepare`'s context that a step needs. */
export interface StepContext<Db, Rpc> {
  rpc: Rpc;
  write: StepTransaction<Db>;
}

/** An attempt that the sweeper found. */
export interface OpenAttempt {
  id: string;
  workspace_id: string;
  asked_by: string;
  attempt_number: number;
}

/** The part of a step that the sweeper needs. */
export interface SweptStep<Db, Rpc> extends DeclaredStep {
  /**
   * Finds attempts that must be undone and are not claimed, and requested attempts that were abandoned.
   * @param notPostponed condition that they are not postponed
   */
  abandoned(limit: number, notPostponed: Sql): Sql;
  /** Undoes an attempt that was found, unless another process does so or it has moved on. */
  finish(context: { rpc: () => Rpc; write: StepTransaction<Db> }, found: OpenAttempt): Promise<void>;
  /** Makes the request of an attempt again, or has it undone, after a restore. @throws any error of the other service */
  repair(context: StepContext<Db, Rpc>, repair: StepRepair): Promise<void>;
}

/** A repair that `npm run reconcile` has requested. */
export interface StepRepair {
  action: 'repeat' | 'undo';
  attempt: number;
  columns: object;
}
