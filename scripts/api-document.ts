/**
 * Builds docs/openapi.json and docs/guides from the declarations. They are not in git: `npm run generate`, `npm start`
 * and `npm test` write them.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DeclaredOperations } from '@suite/chassis/declarations';
import {
  describeFields,
  describeParameters,
  describeValues,
  description,
  type Example,
  guidePages,
  openapi,
  readDescriptions,
  readMeanings,
} from '@suite/api-docs';
import { declaredServices } from '@suite/testing/declared';
import { services as table } from '@suite/local/processes';
import { policies } from '@suite/gateway/limits';
import { ownOperations } from '@suite/gateway/operations';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string): string => readFileSync(`${root}${name}`, 'utf8');

/** All sources of operations: the services, and the gateway with its own. */
export const answering: DeclaredOperations[] = [...declaredServices, ownOperations];
/** Guides in reading order. */
const guides = ['authentication', 'lists', 'amounts', 'errors', 'safe-writes', 'files', 'limits'].map((name) => ({
  name,
  html: read(`packages/api-docs/guides/${name}.html`),
}));
const info = {
  title: 'Suite',
  version: (JSON.parse(read('package.json')) as { version: string }).version,
  description: description(guides),
  contact: { name: 'The team that builds this suite' },
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
};

/** Returns descriptions of resources by their names on a contents page: the first sentences of their `.api.ts`. */
function resourcesOf(contentsPage: string): [string, string][] {
  const folder = `${dirname(contentsPage)}/`;
  const contents = read(contentsPage);
  return [...contents.matchAll(/import \* as (\w+) from '\.\/(.+\.api\.ts)'/g)].map(([, noun = '', file]) => {
    const [, comment = ''] = /^\/\*\*(.*?)\*\//s.exec(read(`${folder}${file}`)) ?? [];
    // A noun with the same name as its service is imported under another name.
    const [, name = noun] = new RegExp(`^ +(\\w+): ${noun},$`, 'm').exec(contents) ?? [];
    return [name, comment.replaceAll(/\s*\n \* ?/g, ' ').trim()];
  });
}

const recorded: Record<string, Example> = JSON.parse(read('docs/examples.json'));
const contentsPages = [
  ...declaredServices.map(({ name }) => `services/${name}/src/${name}.ts`),
  'gateway/src/own-operations.ts',
];
const extras = {
  resources: new Map(contentsPages.flatMap(resourcesOf)),
  groups: new Map([...table.map(({ name, title }) => [name, title] as const), ['gateway', 'The suite']]),
  examples: new Map(Object.entries(recorded)),
};

const parameters = describeParameters(
  openapi(info, answering, extras),
  readDescriptions(read('packages/api-docs/parameters.txt')),
);
const fields = describeFields(parameters.document, readDescriptions(read('packages/api-docs/fields.txt')));
const values = describeValues(fields.document, readMeanings(read('packages/api-docs/values.txt')));
/** Parameters, fields and values of the API without a description, and descriptions that nothing uses. */
export const undescribed = [
  ...parameters.missing.map(
    (name) => `${name} has no description: add one to its schema, or to packages/api-docs/parameters.txt.`,
  ),
  ...parameters.unused.map(
    (name) => `packages/api-docs/parameters.txt describes ${name}, which no operation has: remove the line.`,
  ),
  ...fields.missing.map(
    (field) => `${field} has no description: add one to its schema, or to packages/api-docs/fields.txt.`,
  ),
  ...fields.unused.map(
    (field) => `packages/api-docs/fields.txt describes ${field}, which no schema contains: remove the line.`,
  ),
  ...values.missing.map((value) => `${value} has no meaning: add one to packages/api-docs/values.txt.`),
  ...values.unused.map(
    (value) => `packages/api-docs/values.txt describes ${value}, which no schema contains: remove the line.`,
  ),
];

/** Writes docs/openapi.json and docs/guides. */
export function writeDocument(): void {
  writeFileSync(`${root}docs/openapi.json`, `${JSON.stringify(values.document, null, 1)}\n`);
  mkdirSync(`${root}docs/guides`, { recursive: true });
  const pages = guidePages(guides, { document: values.document, catalogue: read('docs/errors.html') }, policies);
  for (const [name, page] of pages) writeFileSync(`${root}docs/guides/${name}.html`, page);
}

if (import.meta.main) writeDocument();
