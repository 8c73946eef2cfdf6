/** Fills the demo workspaces that platform has made with customers, vendors, banks and months of bookkeeping. Running it again changes nothing. */
import { readDemoFile } from '@suite/demo';
import { seedDemo } from '../demo/seed.ts';
import { openFinanceDatabase, settings } from './config.ts';

async function program(): Promise<string> {
  const { DATABASE_URL, DEMO_FILE } = settings();
  const { workspaces } = readDemoFile(DEMO_FILE);
  const database = openFinanceDatabase(DATABASE_URL);
  try {
    return await seedDemo(database, workspaces);
  } finally {
    await database.close();
  }
}

try {
  process.stdout.write(`${await program()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
