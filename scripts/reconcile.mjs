import { node, openly } from './command.mjs';
import { localDatabases } from './databases.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments, parseWholeNumber } from './words.mjs';

const command = 'npm run reconcile';
const { values } = parseArguments({
  command,
  help: `
Usage: npm run reconcile [-- --repair [--wait <seconds>]]

Compares services whose databases were restored to different times, and lists each difference: copies of records, processed
events and saga steps that only one service knows, references to missing records, and amounts.

  --repair          repair what can be repaired, and print each action. The services must run. Deletes no business
                    records, and can be repeated
  --wait <seconds>  longest time to wait for the services in each repair of saga steps; defaults to 60

Run it while the gateway is stopped and the suite is idle: see docs/operating.md, "Reconcile". The exit code is 0 without
differences, 1 with differences, and 2 if a database is missing, unavailable or of another release.

Environment: DATABASE_URL_<SERVICE>. Defaults to the databases of npm start.`,
  options: { repair: { type: 'boolean' }, wait: { type: 'string' } },
});
if (values.wait !== undefined) parseWholeNumber(command, '--wait', values.wait);

await setUp({ development: false });
process.exitCode = await openly(node, ['tools/reconcile/main.ts', ...process.argv.slice(2)], localDatabases());
