import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { node, openly, root } from './command.mjs';

/** The cache that the suite's processes use (deploy/local/src/environment.ts). */
const compiled = join(root, 'node_modules/.suite/compiled');

/** Runs Jest. All other options of Jest are in jest.config.mjs. */
export const runJest = (args) =>
  openly(node, ['node_modules/jest/bin/jest.js', ...args], { NODE_COMPILE_CACHE: compiled });

/**
 * Parses `--in <folder>[,<folder>…]` as the first option: run only the tests of these folders. Jest treats all words
 * behind `--roots` as folders.
 */
function words([option, folders = '', ...others]) {
  return option === '--in' ? [...others, '--roots', ...folders.split(',')] : process.argv.slice(2);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await runJest(words(process.argv.slice(2)));
