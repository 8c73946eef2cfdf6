import { node, openly } from './command.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments, refuse } from './words.mjs';

const command = 'npm run release';
const { positionals } = parseArguments({
  command,
  help: `
Usage: npm run release -- <version>

Gives what stands under "Unreleased" in CHANGELOG.md that version and today's date, and keeps the edition of the OpenAPI
document and of proto/ in releases/, with which later ones are compared. A breaking change takes a new major version.
With the present version, its edition is written anew: for a release that nobody has yet.`,
  most: 1,
});
const [version = ''] = positionals;
if (!/^\d+\.\d+\.\d+$/.test(version)) refuse(command, `A version is like 1.1.0, not "${version}".`);
await setUp({ description: true });
process.exitCode = await openly(node, ['scripts/release.ts', version]);
