import { fileURLToPath } from 'node:url';
import { node, openly } from './command.mjs';

/** Jest needs a flag to load ES modules; everything else is in jest.config.mjs. */
export const runJest = (args) =>
  openly(node, [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    ...args,
  ]);

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await runJest(process.argv.slice(2));
