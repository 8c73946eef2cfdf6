/** What would happen, found out by the code that would do it: a transaction is opened, worked in, and undone. */
import type { Emit } from '../operation/events.ts';
import type { Database } from './database.ts';
import { checkConstraints, type Context } from './transaction.ts';

/** Carries the result out of the transaction that it undoes. */
class Undone extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('A dry run ends without a trace.');
    this.result = result;
  }
}

/** Works in a transaction that leaves no trace. @returns what the work returns @throws what it would be refused with */
export async function dryRun<Db, T>(
  database: Database<Db>,
  context: Context,
  work: (db: Db, emit: Emit) => Promise<T>,
): Promise<T> {
  try {
    return await database.write(context, async (db, emit): Promise<never> => {
      const result = await work(db, emit);
      // What is checked only at the end is checked here: a dry run refuses whatever the real one would.
      await checkConstraints();
      throw new Undone(result);
    });
  } catch (error) {
    if (error instanceof Undone) return error.result as T;
    throw error;
  }
}
