import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { node, openly } from './command.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments, parseWholeNumber } from './words.mjs';

const command = 'npm run drill';
const { values } = parseArguments({
  command,
  help: `
Usage: npm run drill [-- --rounds <n>]

Practises recovery on a suite of its own, under 30 writes a second. Each round makes a backup, and then loses the data folder
or returns to a point in time, in turn. Checks each write, and audits the suite. Writes docs/operations/results/drill.md.
The exit code is 0 if each round met its goals.

  --rounds <n>   number of restores. Defaults to 10`,
  options: { rounds: { type: 'string' } },
});
const rounds = parseWholeNumber(command, '--rounds', values.rounds ?? '10');
await setUp({ description: true, servers: true });
const place = mkdtempSync(join(tmpdir(), 'suite-drill-'));
// PostgreSQL's own user must reach the archive.
chmodSync(place, 0o755);
try {
  const settings = { BACKUP_DIR: join(place, 'backups') };
  process.exitCode = await openly(node, ['tools/drill/main.ts', String(rounds), place], settings);
} finally {
  rmSync(place, { recursive: true, force: true });
}
