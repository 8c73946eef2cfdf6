import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { node, openly, root } from './command.mjs';

/** The cache that the processes of the suite use, too (deploy/local/src/environment.ts). */
const compiled = join(root, 'node_modules/.suite/compiled');

/** Everything else that Jest is told is in jest.config.mjs. */
export const runJest = (args) =>
  openly(node, ['node_modules/jest/bin/jest.js', ...args], { NODE_COMPILE_CACHE: compiled });

/** `--in <folder>[,<folder>…]`, said first: only their tests. Jest takes all words behind `--roots` for folders. */
function words([option, folders = '', ...others]) {
  return option === '--in' ? [...others, '--roots', ...folders.split(',')] : process.argv.slice(2);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await runJest(words(process.argv.slice(2)));
