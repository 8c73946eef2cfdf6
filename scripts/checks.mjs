import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { node, root } from './command.mjs';

const tool = (name) => join(root, 'node_modules/.bin', name);
const folders = ['gateway', 'services', 'packages', 'deploy', 'tests', 'tools', 'scripts'].filter((name) =>
  existsSync(join(root, name)),
);

const all = [
  { name: 'formatting', command: [tool('biome'), 'format'], advice: 'Run: npm run format' },
  { name: 'walls', command: [tool('depcruise'), '--config', '.dependency-cruiser.mjs', ...folders] },
  {
    name: 'spectral',
    command: [tool('spectral'), 'lint', 'docs/openapi.json', '--ruleset', '.spectral.yaml', '--fail-severity', 'hint'],
  },
  { name: 'lint', command: [tool('oxlint'), '--deny-warnings'] },
  { name: 'types', command: [node, 'node_modules/@typescript/native/bin/tsc', '--noEmit'] },
  { name: 'boundaries', command: [tool('turbo'), 'boundaries'] },
  { name: 'dead code', command: [tool('knip'), '--no-progress', '--no-config-hints'] },
  {
    name: 'commits',
    command: [node, 'scripts/commits.mjs'],
    advice: 'CONTRIBUTING.md, "Commits", describes the subjects. Reword the commit.',
  },
  { name: 'packages', command: [node, 'scripts/packages.mjs'] },
  { name: 'protobuf', command: [tool('buf'), 'lint'] },
  {
    name: 'generated docs',
    needs: 'scripts/manifest.ts',
    command: [node, 'scripts/manifest.ts', '--check'],
    advice: 'Run: npm run generate',
  },
  {
    name: 'breaking changes',
    command: [node, 'scripts/breaking.ts'],
    advice: 'Name them in CHANGELOG.md under "### Breaking changes" of "## Unreleased", or undo them.',
  },
  { name: 'redocly', command: [tool('redocly'), 'lint', 'docs/openapi.json', '--config', 'redocly.yaml'] },
];

/** The checks of the repository that start no processes. The slowest checks begin first. */
export const checks = all.filter(({ needs }) => !needs || existsSync(join(root, needs)));
