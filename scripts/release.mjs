import { node, openly } from './command.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments, refuse } from './words.mjs';

const command = 'npm run release';
const { positionals } = parseArguments({
  command,
  help: `
Usage: npm run release -- <version>

Gives the section "Unreleased" of CHANGELOG.md this version and today's date, and stores the OpenAPI document and the image
of proto/ in releases/. Later editions are compared with them. A breaking change requires a new major version.
With the current version, the stored edition is replaced: for a release that is not yet published.`,
  most: 1,
});
const [version = ''] = positionals;
if (!/^\d+\.\d+\.\d+$/.test(version)) refuse(command, `A version is like 1.1.0, not "${version}".`);
await setUp({ description: true });
process.exitCode = await openly(node, ['scripts/release.ts', version]);
