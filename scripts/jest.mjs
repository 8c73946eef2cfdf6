import { fileURLToPath } from 'node:url';
import { node, openly } from './command.mjs';

/** Everything that Jest is told is in jest.config.mjs. */
export const runJest = (args) => openly(node, ['node_modules/jest/bin/jest.js', ...args]);

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await runJest(process.argv.slice(2));
