import { node, openly } from './command.mjs';
import { setUp } from './set-up.mjs';

await setUp();
process.exitCode = await openly(node, ['tests/model/main.ts', ...process.argv.slice(2)]);
