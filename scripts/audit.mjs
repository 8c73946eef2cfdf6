import { node, openly } from './command.mjs';
import { localDatabases } from './databases.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments, refuse } from './words.mjs';

const command = 'npm run audit';
const { values } = parseArguments({
  command,
  help: `
Usage: npm run audit [-- --workspace <id>]

Checks from the databases that the books balance, the stock is correct, document numbers have no gaps and the services
agree, in all workspaces or in one. Processed events are checked only for all workspaces. Prints each violation. The exit
code is 0 without violations, 1 with violations, and 2 if the check failed.

Environment: DATABASE_URL_<SERVICE>. Defaults to the databases of npm start.`,
  options: { workspace: { type: 'string' } },
});
if (values.workspace !== undefined && !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(values.workspace))
  refuse(command, `--workspace must be the ID of a workspace, not "${values.workspace}".`);

await setUp({ development: false });
process.exitCode = await openly(node, ['tools/audit/main.ts', ...process.argv.slice(2)], localDatabases());
