/**
 * Writes the files that are generated from the declarations: docs/ and the gateway's routes. With `--check` it writes
 * nothing and fails if a file is stale.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type DeclaredOperations,
  type EventMessage,
  operationsOf,
  referencesSql,
  type Service,
  visibilitySql,
} from '@suite/chassis/declarations';
import {
  architectureDiagram,
  areasTable,
  decisionsText,
  describeFields,
  describeValues,
  description,
  errorsPage,
  eventsText,
  methodsText,
  type Example,
  openapi,
  operationsText,
  readDescriptions,
  readMeanings,
  referencesText,
  routes,
  statesText,
  visibilityText,
  withSection,
} from '@suite/api-docs';
import { declared as services } from '@suite/testing/declared';
import { services as table } from '@suite/local/processes';
import { policies } from '@suite/gateway/limits';
import { gatewayFaults } from '@suite/gateway/faults';
import { ownOperations } from '@suite/gateway/operations';
import { notebook } from '@suite/example-service';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string): string | undefined => {
  try {
    return readFileSync(`${root}${name}`, 'utf8');
  } catch {
    return undefined;
  }
};

const folders = new Map([
  ...services.map((service) => [service, `services/${service.name}`] as const),
  [notebook, 'packages/example-service'] as const,
]);
/** Returns the events that a service may emit: the messages of its `events.proto`. */
async function eventsOf({ name }: Service): Promise<[string, EventMessage<unknown>[]]> {
  const module = (await import(`@suite/proto/${name}/v1/events`)) as Record<string, EventMessage<unknown>>;
  return [name, Object.values(module).filter((value) => typeof value === 'object' && '$type' in value)];
}

const announced = new Map(await Promise.all(services.map(eventsOf)));
/** All sources of operations: the services, and the gateway with its own. */
const answering: DeclaredOperations[] = [...services, ownOperations];
const operations = new Map(answering.flatMap((one) => [...operationsOf(one)]));
const info = {
  title: 'Suite',
  version: (JSON.parse(read('package.json') ?? '{}') as { version: string }).version,
  description: description(policies),
  contact: { name: 'The team that builds this suite' },
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
};

/** Returns descriptions of resources by their names on a contents page: the first sentences of their `.api.ts`. */
function resourcesOf(contentsPage: string): [string, string][] {
  const folder = `${root}${dirname(contentsPage)}/`;
  const contents = readFileSync(`${root}${contentsPage}`, 'utf8');
  return [...contents.matchAll(/import \* as (\w+) from '\.\/(.+\.api\.ts)'/g)].map(([, noun = '', file]) => {
    const [, comment = ''] = /^\/\*\*(.*?)\*\//s.exec(readFileSync(`${folder}${file}`, 'utf8')) ?? [];
    // A noun with the same name as its service is imported under another name.
    const [, name = noun] = new RegExp(`^ +(\\w+): ${noun},$`, 'm').exec(contents) ?? [];
    return [name, comment.replaceAll(/\s*\n \* ?/g, ' ').trim()];
  });
}

/** Returns the callers of each method, found by calls like `rpc.inventory.issueStock(…)`. */
function callersOfMethods(): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const path of globSync('{gateway,services/*}/src/**/*.ts', { cwd: root }).toSorted()) {
    if (path.endsWith('.test.ts') || path.includes('/generated/')) continue;
    for (const [, method = ''] of (read(path) ?? '').matchAll(/\b(?:rpc|\))\.(\w+\.\w+)\(/g))
      found.set(method, (found.get(method) ?? new Set()).add(path));
  }
  return new Map([...found].map(([method, paths]) => [method, [...paths]]));
}

/** The sources that may contain comments marked with `Chosen:`. */
const sources = [
  'gateway/src/**/*.ts',
  'services/*/src/**/*.ts',
  'packages/*/src/**/*.ts',
  'services/*/prisma/functions/*.sql',
]
  .flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted())
  .filter((path) => !path.endsWith('.test.ts') && !path.includes('/generated/') && !path.startsWith('packages/proto/'))
  .map((path) => ({ path, text: read(path) ?? '' }));
const diagram = architectureDiagram(table);
const areas = services.map(({ name }) => ({
  name,
  areas: JSON.parse(read(`services/${name}/package.json`) ?? '{}').areas as string[],
}));
/** Returns a page with the diagram of the services inserted. */
const illustrated = (name: string) => withSection(read(name) ?? '', 'architecture', diagram);

const recorded: Record<string, Example> = JSON.parse(read('docs/examples.json') ?? '{}');
const contentsPages = [
  ...services.map(({ name }) => `services/${name}/src/${name}.ts`),
  'gateway/src/docs/own-operations.ts',
];
const extras = {
  resources: new Map(contentsPages.flatMap(resourcesOf)),
  groups: new Map([...table.map(({ name, title }) => [name, title] as const), ['gateway', 'The suite']]),
  examples: new Map(Object.entries(recorded)),
};

const fields = describeFields(
  openapi(info, answering, extras),
  readDescriptions(read('packages/api-docs/fields.txt') ?? ''),
);
const values = describeValues(fields.document, readMeanings(read('packages/api-docs/values.txt') ?? ''));
/** Fields and values of the API without a description, and descriptions without a field or value. */
const undescribed = [
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

const files: Record<string, string> = {
  'docs/operations.txt': operationsText(answering),
  'docs/methods.txt': methodsText(services, callersOfMethods()),
  'docs/events.txt': eventsText(services, announced),
  'docs/states.md': statesText(services),
  'docs/visibility.md': visibilityText(services),
  'docs/decisions.md': decisionsText(sources),
  'docs/architecture.md': withSection(illustrated('docs/architecture.md'), 'areas', areasTable(areas)),
  'README.md': illustrated('README.md'),
  'docs/references.txt': referencesText(services),
  'docs/openapi.json': `${JSON.stringify(values.document, null, 1)}\n`,
  ...Object.fromEntries(
    [...folders].map(([{ visibility }, folder]) => [`${folder}/prisma/visibility.sql`, visibilitySql(visibility)]),
  ),
  ...Object.fromEntries(
    [...folders].map(([{ references = [] }, folder]) => [`${folder}/prisma/references.sql`, referencesSql(references)]),
  ),
  'docs/errors.html': errorsPage(
    operations,
    services.map(({ name }) => name),
    gatewayFaults,
  ),
  'gateway/src/routes.json': `${JSON.stringify(routes(answering), null, 2)}\n`,
};

const stale = Object.entries(files).filter(([name, text]) => read(name) !== text);

for (const line of undescribed) console.error(line);
if (process.argv.includes('--check')) {
  for (const [name] of stale) console.error(`${name} is stale: run "npm run generate".`);
  process.exitCode = stale.length + undescribed.length > 0 ? 1 : 0;
} else {
  mkdirSync(`${root}docs`, { recursive: true });
  for (const [name, text] of stale) {
    writeFileSync(`${root}${name}`, text);
    console.log(`wrote ${name}`);
  }
}
