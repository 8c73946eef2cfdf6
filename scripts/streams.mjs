import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { node, openly } from './command.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments, parseWholeNumber } from './words.mjs';

const command = 'npm run streams';
const { values } = parseArguments({
  command,
  help: `
Usage: npm run streams [-- --streams <n>]

Opens streams of changes on a suite of its own, 20 in each workspace. Measures the memory of the gateway, the processor time, and
the time until a change arrives. Writes docs/operations/results/streams.md.

  --streams <n>   number of streams. Defaults to 1000`,
  options: { streams: { type: 'string' } },
});
const streams = parseWholeNumber(command, '--streams', values.streams ?? '1000');
await setUp({ description: true, servers: true });
const place = mkdtempSync(join(tmpdir(), 'suite-streams-'));
try {
  process.exitCode = await openly(node, ['tools/streams/main.ts', String(streams), place], {});
} finally {
  rmSync(place, { recursive: true, force: true });
}
