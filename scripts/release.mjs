import { node, openly } from './command.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments, refuse } from './words.mjs';

const command = 'npm run release';
const { positionals } = parseArguments({
  command,
  help: `
Usage: npm run release -- <version>

Renames the section "Unreleased" of CHANGELOG.md to this version and today's date. Stores the OpenAPI document and the image
of proto/ in releases/, with which later changes are compared. A breaking change requires a new major version.
The current version replaces its stored files. Use it only if the release is not published yet.`,
  most: 1,
});
const [version = ''] = positionals;
if (!/^\d+\.\d+\.\d+$/.test(version)) refuse(command, `"${version}" is not a version, such as 1.1.0.`);
await setUp({ description: true });
process.exitCode = await openly(node, ['scripts/release.ts', version]);
