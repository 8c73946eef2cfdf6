import { node, openly } from './command.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments } from './words.mjs';

parseArguments({
  command: 'npm run restore',
  help: `
Usage: npm run restore -- --until <time> [--data <folder>]

Returns all databases of a stopped suite to a point in time after its first backup, copies missing files, and empties the
bus. Ends all sessions, and lists the document numbers that were assigned after that time. The previous databases stay
in a folder of their own. Nothing changes if the restore fails.

  --until <time>    such as 2026-11-28T14:03:00Z
  --data <folder>   data folder of the suite. Defaults to .data

Environment: BACKUP_DIR, the folder of the backups, as for npm start.`,
  options: { data: { type: 'string' }, until: { type: 'string' } },
});
await setUp({ development: false });
process.exitCode = await openly(node, ['deploy/local/src/cli/recovery.ts', 'restore', ...process.argv.slice(2)]);
