import { databaseSettings, type DatabaseSettings, openDatabase, readSettings } from '@suite/chassis';
import { z } from 'zod';
import { PrismaClient } from '../generated/client.ts';

/** Reads the environment of the commands of this folder. @throws an Error that says in one sentence what is wrong */
export const settings = (environment?: NodeJS.ProcessEnv) =>
  readSettings(
    {
      ...databaseSettings,
      /** The gateway's address as users see it; links begin with it. */
      PUBLIC_URL: z.url(),
      /** The file for the logins of the demo. */
      DEMO_FILE: z.string().min(1).optional(),
    },
    environment,
  );

/** Reads the environment of the commands about white-label instances, whose secrets are made with the key of the process. */
export const instanceSettings = () => readSettings({ ...databaseSettings, KEYS_DIR: z.string().min(1) });

/** Opens platform's database as the running service does, but without ports: its relay announces what is written here. */
export const openPlatformDatabase = (settings: DatabaseSettings) =>
  openDatabase({ settings, max: 2, makeClient: (adapter) => new PrismaClient({ adapter }), onCommit: () => undefined });

/** Runs a command of this folder as the process: its text to stdout, or one sentence to stderr and exit code 1. */
export async function runAsProcess(work: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await work()}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
