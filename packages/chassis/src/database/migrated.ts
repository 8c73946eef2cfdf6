import { setTimeout as pause } from 'node:timers/promises';
import { checkMigrations } from '@suite/migrations';
import pg from 'pg';
import { databaseFault } from './database-fault.ts';

const PATIENCE_MS = 30_000;
const PAUSE_MS = 500;

/** Whether the database itself refuses (a wrong password, say), so that waiting does not help. */
const isRefusal = (error: unknown): boolean => error instanceof pg.DatabaseError && !databaseFault(error);

/**
 * Waits for the database, and makes sure that it has every migration that lies in the service's folder.
 * @throws an Error of one sentence
 */
export async function assertMigrated(databaseUrl: string, directory: string, patience_ms = PATIENCE_MS): Promise<void> {
  const late = AbortSignal.timeout(patience_ms);
  for (;;) {
    const state = await checkMigrations({ databaseUrl, directory }).catch((error: Error & { code?: string }) => {
      const reason = error.message || error.code;
      if (isRefusal(error)) throw new Error(`The database refuses: ${reason}.`, { cause: error });
      if (late.aborted) throw new Error(`The database does not answer: ${reason}.`, { cause: error });
    });
    if (state?.problem) throw new Error(state.problem);
    if (state) return;
    await pause(PAUSE_MS);
  }
}
