import { node, openly } from './command.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments, parseWholeNumber } from './words.mjs';

const command = 'npm run model';
const { values, positionals } = parseArguments({
  command,
  help: `
Usage: npm run model [-- <operations>] [--seed <seed>]

Tries so many random operations (10000 unless told) on a suite of its own, and compares each answer with a model. Prints
the seed, with which the same run can be had again.`,
  options: { seed: { type: 'string' } },
  most: 1,
});
const operations = parseWholeNumber(command, 'The number of operations', positionals[0] ?? '10000');
const seed = parseWholeNumber(command, '--seed', values.seed ?? String(Math.floor(Math.random() * 2 ** 31)));
await setUp({ description: true, servers: true });
process.exitCode = await openly(node, ['tools/model/main.ts', String(operations), String(seed)]);
