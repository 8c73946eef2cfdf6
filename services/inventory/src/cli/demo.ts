/** Fills the demo workspaces that platform has made with products, stock and till sales. Running it again changes nothing. */
import { readDemoFile } from '@suite/demo';
import { seedDemo } from '../demo/seed.ts';
import { openInventoryDatabase, settings } from './config.ts';

async function program(): Promise<string> {
  const { DATABASE_URL, DEMO_FILE } = settings();
  const { workspaces } = readDemoFile(DEMO_FILE);
  const database = openInventoryDatabase(DATABASE_URL);
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
