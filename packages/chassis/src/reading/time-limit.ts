/** Time limits of reads that a caller waits for. */
import { tookLong } from '../database/database-fault.ts';
import { control, current } from '../database/running.ts';
import { attempt } from '../database/transaction.ts';
import { Fault } from '../runtime/fault.ts';

/** Returns how long the caller of the current transaction still waits, in milliseconds. Infinity if no caller waits. */
export const timeLeft = (): number => (current().context.ends_at ?? Infinity) - performance.now();

const limitStatements = (ms: number) =>
  control(`SET LOCAL statement_timeout = ${ms === Infinity ? 'DEFAULT' : Math.max(1, Math.ceil(ms))}`);

/** Runs `work` with a limit for each of its statements. Returns undefined, and undoes `work`, if one exceeds the limit. */
export async function attemptWithin<T>(limit_ms: number, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await attempt(async () => {
      await limitStatements(limit_ms);
      const result = await work();
      await limitStatements(timeLeft());
      return result;
    });
  } catch (error) {
    if (error instanceof Fault && tookLong(error)) return undefined;
    throw error;
  }
}
