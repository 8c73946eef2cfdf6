/** The demo of a service, as a function of its settings. The launcher calls it. Without the launcher it is a program. */
import { setTimeout as pause } from 'node:timers/promises';
import { type WorkspaceDatabase, type Database, openDatabase } from '@suite/chassis/database';
import { Fault } from '@suite/chassis/faults';
import { databaseSettings, readSettings } from '@suite/chassis/runtime';
import { z } from 'zod';
import { type DemoWorkspace, readDemoFile } from './demo-file.ts';

const settingsIn = (environment?: NodeJS.ProcessEnv) =>
  readSettings(
    {
      ...databaseSettings,
      /** The file with the users that platform's demo has created. */
      DEMO_FILE: z.string().min(1),
    },
    environment,
  );

/** Creates a part of the demo and returns a sentence about the result. Defaults to the environment of this process. */
export type MakeDemo = (environment?: NodeJS.ProcessEnv) => Promise<string>;

const TRIES = 30;
const WAIT_MS = 1_000;

/** Tries again while the service is busy with the events of platform's demo: filling again changes nothing. */
async function retryWhileBusy<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== 503 || tried === TRIES) throw error;
      await pause(WAIT_MS);
    }
  }
}

/** Returns what opens a service's database as the running service does, but without ports, and fills it. */
export function demoProgram<Client extends object>(
  makeClient: Parameters<typeof openDatabase<Client>>[0]['makeClient'],
  seed: (
    database: Database<WorkspaceDatabase<Client>>,
    workspaces: readonly DemoWorkspace[],
    environment?: NodeJS.ProcessEnv,
  ) => Promise<string>,
): MakeDemo {
  return async (environment) => {
    const { DEMO_FILE, ...settings } = settingsIn(environment);
    const { workspaces } = readDemoFile(DEMO_FILE);
    const database = openDatabase({ settings, max: 2, makeClient, onCommit: () => undefined });
    try {
      return await retryWhileBusy(() => seed(database, workspaces, environment));
    } finally {
      await database.close();
    }
  };
}

/**
 * Makes a demo as a program of its own: with the settings of this process, and the result on standard output.
 * A failure is one sentence on the standard error stream, and an exit code other than zero.
 */
export async function runDemo(makeDemo: MakeDemo): Promise<void> {
  try {
    process.stdout.write(`${await makeDemo()}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
