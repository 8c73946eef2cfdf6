/**
 * Writes the files that are generated from the declarations: docs/ and the gateway's routes. With `--check` it writes
 * nothing, because other checks read the API document at the same time, and fails if a file in git is stale.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  copyTriggersSql,
  type EventMessage,
  operationsOf,
  processSettings,
  referencesSql,
  type Service,
  serviceSettings,
  visibilitySql,
} from '@suite/chassis/declarations';
import {
  adviceGaps,
  architectureDiagram,
  areasTable,
  decisionsText,
  type ErrorSources,
  errorsPage,
  eventsText,
  linesOfJson,
  methodsText,
  operationsText,
  readDescriptions,
  referencesText,
  routes,
  settingsSchemas,
  settingsTable,
  statesText,
  visibilityText,
  withSection,
} from '@suite/api-docs';
import { declaredServices } from '@suite/testing/declared';
import { GATEWAY_CALLS, processes, services as table } from '@suite/local/processes';
import { gatewayFaults } from '@suite/gateway/faults';
import { gatewaySettings } from '@suite/gateway/settings';
import { notebook } from '@suite/example-service';
import { composeFile } from '../deploy/docker/compose.ts';
import { ownSettings } from '../deploy/helm/own-settings.ts';
import { chartFile, servicesFile } from '../deploy/helm/services-file.ts';
import { valuesSchema } from '../deploy/helm/values-schema.ts';
import { answering, undescribed, writeDocument } from './api-document.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string): string | undefined => {
  try {
    return readFileSync(`${root}${name}`, 'utf8');
  } catch {
    return undefined;
  }
};

const folders = new Map([
  ...declaredServices.map((service) => [service, `services/${service.name}`] as const),
  [notebook, 'packages/example-service'] as const,
]);
/** Returns the events that a service may emit: the messages of its `events.proto`. */
async function eventsOf({ name }: Service): Promise<[string, EventMessage<unknown>[]]> {
  const module = (await import(`@suite/proto/${name}/v1/events`)) as Record<string, EventMessage<unknown>>;
  return [name, Object.values(module).filter((value) => typeof value === 'object' && '$type' in value)];
}

const announced = new Map(await Promise.all(declaredServices.map(eventsOf)));
const operations = new Map(answering.flatMap((one) => [...operationsOf(one)]));
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
const own = await ownSettings();
const settings = settingsTable({
  'all processes': processSettings,
  services: serviceSettings,
  ...own,
  gateway: gatewaySettings,
});
const chartValues = valuesSchema(
  table.map(({ name }) => name),
  {
    processes: settingsSchemas(processSettings),
    services: settingsSchemas(serviceSettings),
    gateway: settingsSchemas(gatewaySettings),
    own: Object.fromEntries(Object.entries(own).map(([name, group]) => [name, settingsSchemas(group)])),
  },
);
const front = processes.find(({ service }) => !service)!;
const dependenciesOf = (name: string): string[] =>
  Object.keys(JSON.parse(read(`services/${name}/package.json`) ?? '{}').dependencies);
const areas = declaredServices.map(({ name }) => ({
  name,
  areas: JSON.parse(read(`services/${name}/package.json`) ?? '{}').areas as string[],
}));
/** Returns a page with the diagram of the services inserted. */
const illustrated = (name: string) => withSection(read(name) ?? '', 'architecture', diagram);

const errors: ErrorSources = {
  operations,
  services: declaredServices.map(({ name }) => name),
  gateway: gatewayFaults,
  excluded: new Set([...operationsOf(notebook).values()].flatMap(({ faults = [] }) => faults)),
  advice: readDescriptions(read('packages/api-docs/errors.txt') ?? ''),
};
const advice = adviceGaps(errors);
/** Descriptions that are missing, and descriptions of nothing. */
const gaps = [
  ...undescribed,
  ...advice.missing.map((code) => `The error ${code} has no advice: add a line to packages/api-docs/errors.txt.`),
  ...advice.unused.map(
    (code) => `packages/api-docs/errors.txt describes ${code}, which no operation returns: remove it.`,
  ),
];

const files: Record<string, string> = {
  'docs/operations.txt': operationsText(answering),
  'docs/methods.txt': methodsText(declaredServices, callersOfMethods()),
  'docs/events.txt': eventsText(declaredServices, announced),
  'docs/states.md': statesText(declaredServices),
  'docs/visibility.md': visibilityText(declaredServices),
  'docs/decisions.md': decisionsText(sources),
  'docs/architecture.md': withSection(illustrated('docs/architecture.md'), 'areas', areasTable(areas)),
  'docs/operating.md': withSection(read('docs/operating.md') ?? '', 'settings', settings),
  'README.md': illustrated('README.md'),
  'docker-compose.yml': composeFile(read('docker-compose.yml') ?? '', table),
  'deploy/helm/suite/Chart.yaml': chartFile(
    read('deploy/helm/suite/Chart.yaml') ?? '',
    (JSON.parse(read('package.json') ?? '{}') as { version: string }).version,
  ),
  'deploy/helm/suite/files/services.yaml': servicesFile(
    table,
    { name: front.name, calls: GATEWAY_CALLS, subscribesTo: front.subscribesTo ?? [] },
    dependenciesOf,
  ),
  'deploy/helm/suite/values.schema.json': `${JSON.stringify(chartValues, null, 2)}\n`,
  'docs/references.txt': referencesText(declaredServices),
  ...Object.fromEntries(
    [...folders].map(([{ visibility }, folder]) => [`${folder}/prisma/visibility.sql`, visibilitySql(visibility)]),
  ),
  ...Object.fromEntries(
    [...folders].map(([{ references = [], copies = [] }, folder]) => [
      `${folder}/prisma/references.sql`,
      referencesSql(references) + copyTriggersSql(copies),
    ]),
  ),
  'docs/errors.html': errorsPage(errors),
  'gateway/src/routes.json': `${linesOfJson(routes(answering))}\n`,
};

const stale = Object.entries(files).filter(([name, text]) => read(name) !== text);

for (const line of gaps) console.error(line);
if (process.argv.includes('--check')) {
  for (const [name] of stale) console.error(`${name} is stale: run "npm run generate".`);
  process.exitCode = stale.length + gaps.length > 0 ? 1 : 0;
} else {
  mkdirSync(`${root}docs`, { recursive: true });
  for (const [name, text] of stale) {
    writeFileSync(`${root}${name}`, text);
    console.log(`wrote ${name}`);
  }
  // Afterwards, because the guides name codes of the error catalogue.
  writeDocument();
}
