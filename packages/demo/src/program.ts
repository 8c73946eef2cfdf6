/** The demo of a service as a program of its own, which the launcher runs once platform's has written who is there. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Confined, type Database, databaseSettings, Fault, openDatabase, readSettings } from '@suite/chassis';
import { z } from 'zod';
import { type DemoWorkspace, readDemoFile } from './demo-file.ts';

const settings = () =>
  readSettings({
    ...databaseSettings,
    /** The file in which platform's demo has written the users. */
    DEMO_FILE: z.string().min(1),
  });

const TRIES = 30;
const WAIT_MS = 1_000;

/** Tries again while the service is busy taking in the events of platform's demo: filling again changes nothing. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== 503 || tried === TRIES) throw error;
      await pause(WAIT_MS);
    }
  }
}

/**
 * Opens a service's database as the running service does, but without ports, fills it, and prints what `seed` says.
 * A failure is one sentence on the standard error stream, and an exit code other than zero.
 */
export async function fillDemo<Client extends object>(
  makeClient: Parameters<typeof openDatabase<Client>>[0]['makeClient'],
  seed: (database: Database<Confined<Client>>, workspaces: readonly DemoWorkspace[]) => Promise<string>,
): Promise<void> {
  try {
    const { DEMO_FILE, ...database_settings } = settings();
    const { workspaces } = readDemoFile(DEMO_FILE);
    const database = openDatabase({ settings: database_settings, max: 2, makeClient, onCommit: () => undefined });
    try {
      process.stdout.write(`${await patiently(() => seed(database, workspaces))}\n`);
    } finally {
      await database.close();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
