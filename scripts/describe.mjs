import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { node, quietly, root, step } from './command.mjs';
import { hashOf, isStamped, stamp } from './stamps.mjs';

const document = join(root, 'docs/openapi.json');
const folders = ['gateway', 'packages', 'proto', 'services', 'deploy/local/src'];

/** Returns the files that the document depends on. */
const sources = () => [
  'package.json',
  'package-lock.json',
  'docs/examples.json',
  'scripts/api-document.ts',
  'packages/api-docs/fields.txt',
  'packages/api-docs/values.txt',
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => /\.(ts|proto)$/.test(name) && !/\.test\.ts$|node_modules|\/test\//.test(name))
      .map((name) => join(folder, name))
      .toSorted(),
  ),
];

/** Builds docs/openapi.json, which is not in git, unless it is up to date. Does nothing in a tree without all services. */
export async function describeApi() {
  if (!existsSync(join(root, 'scripts/api-document.ts'))) return;
  const hash = hashOf(sources());
  if (existsSync(document) && isStamped('api-document', hash)) return;
  await step('Describing the API', 'The API document could not be built', () =>
    quietly(node, ['scripts/api-document.ts']),
  );
  stamp('api-document', hash);
}
