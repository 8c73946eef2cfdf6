import { openDatabase } from '@suite/chassis/database';
import { databaseSettings, type DatabaseSettings, PublicUrl, readSettings } from '@suite/chassis/runtime';
import { z } from 'zod';
import { PrismaClient } from '../generated/client.ts';

/** Reads the environment of the commands in this folder. @throws an Error that names the problem in one sentence */
export const settings = (environment?: NodeJS.ProcessEnv) =>
  readSettings(
    {
      ...databaseSettings,
      PUBLIC_URL: PublicUrl,
      /** File for the logins of the demo. */
      DEMO_FILE: z.string().min(1).optional(),
    },
    environment,
  );

/** Reads the environment of the white-label commands, which derive secrets from the key of the process. */
export const instanceSettings = () => readSettings({ ...databaseSettings, KEYS_DIR: z.string().min(1) });

/**
 * Opens platform's database like the running service, but without ports. The relay of the service emits the events
 * written here.
 */
export const openPlatformDatabase = (settings: DatabaseSettings) =>
  openDatabase({ settings, max: 2, makeClient: (adapter) => new PrismaClient({ adapter }), onCommit: () => undefined });

/** Runs a command as the process. Prints its report to stdout, or one sentence to stderr with exit code 1. */
export async function runAsProcess(work: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await work()}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
