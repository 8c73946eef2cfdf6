/** Time limits of reads that a caller waits for. */
import { isTimeout } from '../database/database-fault.ts';
import { control, currentTransaction } from '../database/running.ts';
import { withSavepoint } from '../database/transaction.ts';
import { Fault } from '../runtime/fault.ts';

/** Returns how long the caller of the current transaction still waits, in milliseconds. Infinity if no caller waits. */
export const remainingTime = (): number => (currentTransaction().context.ends_at ?? Infinity) - performance.now();

const limitStatements = (ms: number) =>
  control(`SET LOCAL statement_timeout = ${ms === Infinity ? 'DEFAULT' : Math.max(1, Math.ceil(ms))}`);

/** Runs `work` with a limit for each of its statements. Returns undefined, and undoes `work`, if one exceeds the limit. */
export async function attemptWithTimeout<T>(limit_ms: number, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await withSavepoint(async () => {
      await limitStatements(limit_ms);
      const result = await work();
      await limitStatements(remainingTime());
      return result;
    });
  } catch (error) {
    if (error instanceof Fault && isTimeout(error)) return undefined;
    throw error;
  }
}
