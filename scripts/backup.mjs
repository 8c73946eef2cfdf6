import { node, openly } from './command.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments } from './words.mjs';

parseArguments({
  command: 'npm run backup',
  help: `
Usage: npm run backup -- [options]

Backs up a running suite that was started with BACKUP_DIR=<folder> npm start: all databases at one point in time, then the
files. The keys go to <folder>-keys: copy them to another place. Then removes older backups, and the archived segments that
only they need.

  --data <folder>   data folder of the suite. Defaults to .data
  --keep <days>     restore to each time of the last days remains possible. Defaults to 14`,
  options: { data: { type: 'string' }, keep: { type: 'string' } },
});
await setUp({ development: false });
process.exitCode = await openly(node, ['deploy/local/src/cli/recovery.ts', 'backup', ...process.argv.slice(2)]);
