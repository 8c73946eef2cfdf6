import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { node, quietly, root, step } from './command.mjs';
import { hashOf, isStamped, stamp } from './stamps.mjs';

const built = [join(root, 'docs/openapi.json'), join(root, 'docs/guides')];
const folders = ['gateway', 'packages', 'proto', 'services', 'deploy/local/src'];

/** Returns the files that the document depends on. */
const sources = () => [
  'package.json',
  'package-lock.json',
  'docs/errors.html',
  'docs/examples.json',
  'scripts/api-document.ts',
  'packages/api-docs/fields.txt',
  'packages/api-docs/values.txt',
  ...readdirSync(join(root, 'packages/api-docs/guides')).map((name) => join('packages/api-docs/guides', name)),
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => /\.(ts|proto)$/.test(name) && !/\.test\.ts$|node_modules|\/test\//.test(name))
      .map((name) => join(folder, name))
      .toSorted(),
  ),
];

/** Builds docs/openapi.json and docs/guides, which are not in git, unless they are up to date. Does nothing in a tree without all services. */
export async function describeApi() {
  if (!existsSync(join(root, 'scripts/api-document.ts'))) return;
  const hash = hashOf(sources());
  if (built.every((path) => existsSync(path)) && isStamped('api-document', hash)) return;
  await step('Describing the API', 'The API document could not be built', () =>
    quietly(node, ['scripts/api-document.ts']),
  );
  stamp('api-document', hash);
}
