import { node, openly } from './command.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments, parseWholeNumber } from './words.mjs';

const command = 'npm run model';
const { values, positionals } = parseArguments({
  command,
  help: `
Usage: npm run model [-- <operations>] [--seed <seed>]

Runs random operations (10000 by default) on a suite of its own, and compares each response with a model. Prints the seed,
which repeats the same run.`,
  options: { seed: { type: 'string' } },
  most: 1,
});
const operations = parseWholeNumber(command, 'The number of operations', positionals[0] ?? '10000');
const seed = parseWholeNumber(command, '--seed', values.seed ?? String(Math.floor(Math.random() * 2 ** 31)));
await setUp({ description: true, servers: true });
process.exitCode = await openly(node, ['tools/model/main.ts', String(operations), String(seed)]);
