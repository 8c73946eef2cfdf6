/** The demo of a service as a program of its own, which the launcher runs once platform's has written who is there. */
import { type Confined, type Database, openDatabase, readSettings } from '@suite/chassis';
import { z } from 'zod';
import { type DemoWorkspace, readDemoFile } from './demo-file.ts';

const settings = () =>
  readSettings({
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
    /** Where platform's demo has written who is there. */
    DEMO_FILE: z.string().min(1),
  });

/**
 * Opens a service's database as the running service does, but without ports, fills it, and prints what `seed` says.
 * What goes wrong is one sentence on the standard error stream, and a code other than zero.
 */
export async function fillDemo<Client extends object>(
  makeClient: Parameters<typeof openDatabase<Client>>[0]['makeClient'],
  seed: (database: Database<Confined<Client>>, workspaces: readonly DemoWorkspace[]) => Promise<string>,
): Promise<void> {
  try {
    const { DATABASE_URL: url, DEMO_FILE } = settings();
    const { workspaces } = readDemoFile(DEMO_FILE);
    const database = openDatabase({ url, max: 2, makeClient, onCommit: () => undefined });
    try {
      process.stdout.write(`${await seed(database, workspaces)}\n`);
    } finally {
      await database.close();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
