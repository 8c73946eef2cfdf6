import { openDatabase } from '@suite/chassis';
import { z } from 'zod';
import { PrismaClient } from '../generated/client.ts';

const Settings = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  /** The gateway's address as users see it; links begin with it. */
  PUBLIC_URL: z.url(),
  /** Where the demo's logins are written to. */
  DEMO_FILE: z.string().min(1).optional(),
});

/** What the commands of this folder read from the environment. @throws an Error that says in one sentence what is wrong */
export function settings(environment: NodeJS.ProcessEnv = process.env): z.output<typeof Settings> {
  const { data, error } = Settings.safeParse(environment);
  if (data) return data;
  const wrong = error.issues.map(
    ({ path, message }) =>
      `${String(path[0])} ${environment[String(path[0])] ? `is not valid (${message})` : 'is missing'}`,
  );
  throw new Error(`The configuration is not complete: ${wrong.join('; ')}.`);
}

/** Opens platform's database as the running service does, but without ports: its relay announces what is written here. */
export const openPlatformDatabase = (url: string) =>
  openDatabase({ url, max: 2, makeClient: (adapter) => new PrismaClient({ adapter }), onCommit: () => undefined });

/** Runs a command of this folder as the process: its text to stdout, or one sentence to stderr and exit code 1. */
export async function runAsProcess(work: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await work()}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
