/** `?dry_run=true`: a command that tells what it would do, by the same code, and leaves no trace. */
import { z } from 'zod';
import type { Outcome } from './idempotency.ts';
import { checkConstraints } from '../database/transaction.ts';

/** The query parameter of a command that can be rehearsed: `query: { dry_run: DryRun }`. */
export const DryRun = z
  .enum(['true', 'false'])
  .default('false')
  .transform((word) => word === 'true')
  .describe('`true` answers what would happen, and undoes all of it.');

/** Carries the outcome out of the transaction that it undoes. */
class Rehearsal extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super('A rehearsal ends without a trace.');
    this.outcome = outcome;
  }
}

/**
 * Undoes what a command has done, once it is known that it could have been kept.
 * @throws always: `outcomeOf` takes the outcome up again outside of the transaction
 */
export async function undo(outcome: Outcome): Promise<never> {
  // What is checked only at the end is checked here: a rehearsal refuses whatever the performance would.
  await checkConstraints();
  throw new Rehearsal(outcome);
}

/** The outcome of a transaction that was undone. @throws what it failed with, if it was no rehearsal */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof Rehearsal) return error.outcome;
  throw error;
}
