import { node, openly } from './command.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments } from './words.mjs';

parseArguments({
  command: 'npm run images',
  help: `
Usage: npm run images [-- options]

Builds the images of all processes into temporary folders, without containers. Starts the suite from its sources and
from the images, and compares size, start and memory, in about five minutes. Requires Linux.
Writes docs/operations/results/images.md.

  --rounds <n>  starts of each process (5 unless set)`,
  options: { rounds: { type: 'string' } },
});
await setUp({ description: true, servers: true });
process.exitCode = await openly(node, ['deploy/images/measure.ts', ...process.argv.slice(2)]);
