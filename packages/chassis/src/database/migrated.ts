import { setTimeout as pause } from 'node:timers/promises';
import { type AccessState, checkAccess, checkMigrations } from '@suite/migrations';
import pg from 'pg';
import { type DatabaseSettings, deadline, requestsUrl } from '../runtime/config.ts';
import { databaseFault } from './database-fault.ts';

const PATIENCE_MS = deadline(30_000);
const PAUSE_MS = 500;

/** Returns true if the database itself refuses, for example because of a wrong password. Waiting does not help then. */
const isRefusal = (error: unknown): boolean => error instanceof pg.DatabaseError && !databaseFault(error);

/** Compares the database with the service's migrations, then checks its privileges. */
async function check(settings: DatabaseSettings, directory: string): Promise<AccessState> {
  const { DATABASE_URL, DATABASE_DIRECT_URL: databaseUrl = DATABASE_URL } = settings;
  const { problem } = await checkMigrations({ databaseUrl, directory });
  return problem ? { problem, warnings: [] } : await checkAccess(DATABASE_URL, requestsUrl(settings));
}

/**
 * Waits for the database. Checks that it has every migration in the service's folder, and that no request can leave its
 * workspace.
 * @returns settings that are less safe than possible
 * @throws an Error of one sentence
 */
export async function assertMigrated(
  settings: DatabaseSettings,
  directory: string,
  patience_ms = PATIENCE_MS,
): Promise<string[]> {
  const late = AbortSignal.timeout(patience_ms);
  for (;;) {
    const state = await check(settings, directory).catch((error: Error & { code?: string }) => {
      const reason = error.message || error.code;
      if (isRefusal(error)) throw new Error(`The database rejected the connection: ${reason}.`, { cause: error });
      if (late.aborted) throw new Error(`The database is unavailable: ${reason}.`, { cause: error });
    });
    if (state?.problem) throw new Error(state.problem);
    if (state) return state.warnings;
    await pause(PAUSE_MS);
  }
}
