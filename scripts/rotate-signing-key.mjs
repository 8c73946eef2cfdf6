import { join } from 'node:path';
import { node, openly, root } from './command.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments, refuse } from './words.mjs';

const command = 'npm run rotate-signing-key';
const { values, positionals } = parseArguments({
  command,
  help: `
Usage: npm run rotate-signing-key -- <process> [--keys <folder>]

Performs the next of three steps that replace the key with which a process signs its tokens, and prints what to do before
the following step. No request fails: npm run rotate-signing-key -- platform

--keys is the folder with the keys of all processes. Defaults to the folder of npm start.`,
  options: { keys: { type: 'string' } },
  most: 1,
});
if (positionals.length === 0) refuse(command, 'Name a process, such as platform.');

await setUp({ development: false });
const keys = values.keys ?? join(root, '.data/keys');
process.exitCode = await openly(node, ['deploy/local/src/cli/rotate-signing-key.ts', positionals[0], '--keys', keys]);
