import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type PostgresKind, secretManifests } from '../docker/kubernetes-secrets.ts';
import { services } from '../local/src/processes.ts';
import { CHART, helm, RELEASE, render } from './test/helm-program.ts';
import { ownSettings } from './own-settings.ts';
import type { ServicesFile } from './services-file.ts';
import { alertFaults } from './test/rules/alerts.ts';
import { type Manifest, ofKind, podsOf } from './test/rules/manifest.ts';
import { type Outside, policyFaults } from './test/rules/policies.ts';
import { type KnownSecrets, referenceFaults } from './test/rules/references.ts';
import { totalRequests } from './test/rules/requests.ts';
import { securityFaults } from './test/rules/security.ts';
import { strictFaults } from './test/rules/strict.ts';
import { variableFaults } from './test/rules/variables.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'suite-chart-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const operating = readFileSync(join(root, 'docs/operating.md'), 'utf8');

const own = Object.fromEntries(
  Object.entries(await ownSettings()).map(([name, settings]) => [name, Object.keys(settings)]),
);

/** Returns the names and keys of the Secrets that keys.ts creates. */
const secretsFor = (postgres: PostgresKind): KnownSecrets =>
  new Map(
    secretManifests(directory, { release: RELEASE, postgres, ...(postgres === 'external' && { host: 'db' }) }).map(
      ({ metadata, stringData }) => [metadata.name, Object.keys(stringData)],
    ),
  );

/** Returns the services that depend on a package. */
const dependents = (dependency: string): string[] =>
  services
    .map(({ name }) => name)
    .filter((name) => {
      const manifest = readFileSync(join(root, 'services', name, 'package.json'), 'utf8');
      return dependency in (JSON.parse(manifest) as { dependencies: Record<string, string> }).dependencies;
    });

interface Case {
  title: string;
  files: string[];
  values?: object;
  kind: PostgresKind;
  outside: Partial<Outside>;
  /** Secrets that an operator creates. */
  secrets?: string[];
}
/** Returns values with a bucket for files. */
const inBucket = (settings: object, s3: object = {}) => ({
  settings: { services: { FILES_S3_BUCKET: 'files', FILES_S3_REGION: 'eu-central-1', ...settings } },
  networkPolicy: { s3: { ports: [443, 9000] } },
  files: { s3 },
});
const cluster = `cluster ${RELEASE}-postgres`;
const cases: Case[] = [
  { title: 'values.yaml', files: [], kind: 'external', outside: { postgres: () => 'any' } },
  { title: 'values-small.yaml', files: ['values-small.yaml'], kind: 'single', outside: { postgres: () => 'postgres' } },
  {
    title: 'values-ha.yaml',
    files: ['values-ha.yaml'],
    kind: 'cluster',
    outside: { postgres: () => cluster, rate_limits: cluster },
  },
  {
    title: 'values-per-service.yaml',
    files: ['values-per-service.yaml'],
    kind: 'cluster-per-service',
    outside: {
      postgres: (service) => `cluster ${RELEASE}-${service}-postgres`,
      rate_limits: `cluster ${RELEASE}-${services[0]?.name}-postgres`,
    },
  },
  {
    title: 'values.yaml with external servers, secret settings and a secret store',
    files: [],
    values: {
      nats: { enabled: false, url: 'nats://events.example.com:4222' },
      settings: {
        services: { SMTP_URL: { secret: 'smtp', key: 'url' }, DATABASE_CONNECTIONS: 12, JOURNAL_CHANGES_DAYS: 36500 },
        processes: { SHUTDOWN_GRACE_MS: 20_000 },
      },
      externalSecrets: { enabled: true, store: { name: 'vault' }, prefix: 'suite/' },
      image: { registry: 'registry.example.com/suite/', pullSecrets: ['registry'] },
    },
    kind: 'external',
    outside: { postgres: () => 'any', nats: 'any', smtp: dependents('@suite/mail-queue') },
    secrets: ['smtp'],
  },
  {
    title: 'values-small.yaml with several pods and files in a bucket',
    files: ['values-small.yaml'],
    values: { ...inBucket({ FILES_S3_ENDPOINT: 'https://s3.internal:9000' }), process: { replicas: 3 } },
    kind: 'single',
    outside: { postgres: () => 'postgres', s3: [443, 9000] },
    secrets: ['suite-files'],
  },
];

const renders = new Map<string, Manifest[]>();

function renderOnce(files: readonly string[], values: object = {}): Manifest[] {
  const key = JSON.stringify({ files, values });
  const objects = renders.get(key) ?? render(files, JSON.stringify(values));
  renders.set(key, objects);
  return objects;
}

test('helm lint finds no errors', () => {
  const { status, stdout, stderr } = helm(['lint', '--strict', CHART]);
  expect(`${stdout}${stderr}`).toContain('0 chart(s) failed');
  expect(status).toBe(0);
});

test('the chart starts the same programs as docker-compose.yml', () => {
  const read = (path: string): unknown => parse(readFileSync(join(root, path), 'utf8'), { merge: true });
  const compose = read('docker-compose.yml') as { services: Record<string, { command: string[] }> };
  const { databases, processes } = read('deploy/helm/suite/files/services.yaml') as ServicesFile;
  expect(databases.command).toEqual([...(compose.services['prepare']?.command ?? []), '--databases']);
  const migrations = processes.filter(({ database }) => database);
  expect(migrations.map(({ migrate }) => migrate)).toEqual(
    migrations.map(({ name }) => compose.services[`migrate-${name}`]?.command),
  );
});

test.each(cases.filter(({ values }) => !values))('$title requests what docs/operating.md lists', ({ files }) => {
  const [file] = files;
  const row = operating.split('\n').find((line) => line.startsWith(file ? `| \`${file}\` |` : '| none |'));
  expect(row).toContain(` | ${totalRequests(renderOnce(files))} |`);
});

describe.each(cases)('the chart with $title', ({ files, values, kind, outside, secrets = [] }) => {
  const rendered = () => renderOnce(files, values);

  test('creates only objects with valid, known and complete fields', async () => {
    expect(await strictFaults(rendered())).toEqual([]);
  });

  test('sets each required variable of each program, and no unknown one', () => {
    expect(variableFaults(rendered(), own)).toEqual([]);
  });

  test('refers only to what exists', () => {
    const known = new Map([...secretsFor(kind), ...secrets.map((name) => [name, undefined] as const)]);
    expect(referenceFaults(rendered(), known)).toEqual([]);
  });

  test('allows exactly the connections of the table of processes', () => {
    const expected = { nats: 'nats', smtp: [], https: dependents('@suite/outbound-http'), ...outside } as Outside;
    expect(policyFaults(rendered(), expected)).toEqual([]);
  });

  test('has the alerts of docs/operating.md, if it has alerts', () => {
    const hasAlerts = ofKind(rendered(), 'PrometheusRule').length > 0;
    expect(hasAlerts).toBe(files.some((file) => /ha|per-service/.test(file)));
    expect(hasAlerts ? alertFaults(rendered(), operating) : []).toEqual([]);
  });

  test('follows the restricted pod security standard', () => {
    expect(securityFaults(rendered())).toEqual([]);
  });
});

describe('files in a bucket', () => {
  const volumesOf = (objects: readonly Manifest[]) =>
    podsOf(ofKind(objects, 'Deployment')).flatMap(({ spec }) => spec.volumes?.map(({ name }) => name) ?? []);

  test('need no volume and no claim', () => {
    const objects = renderOnce([], inBucket({}));
    expect(new Set(volumesOf(objects))).toEqual(new Set(['keys', 'tmp']));
    expect(ofKind(objects, 'PersistentVolumeClaim')).toEqual([]);
  });

  test('keep the volumes of services without the bucket', () => {
    const objects = renderOnce([], { processes: { crm: { settings: inBucket({}).settings.services } } });
    const claims = ofKind(objects, 'PersistentVolumeClaim').map(({ metadata }) => metadata.name);
    expect(claims).toEqual(services.filter(({ name }) => name !== 'crm').map(({ name }) => `suite-${name}-files`));
  });

  test('are read with an identity of the pods instead of a Secret', () => {
    const annotations = { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/suite-files' };
    const objects = renderOnce([], inBucket({}, { secret: '', serviceAccountAnnotations: annotations }));
    expect(JSON.stringify(objects)).not.toContain('AWS_ACCESS_KEY_ID');
    const annotated = ofKind(objects, 'ServiceAccount').filter(({ metadata }) => metadata.annotations);
    expect(annotated.map(({ metadata }) => metadata)).toMatchObject(
      services.map(({ name }) => ({ name: `suite-${name}`, annotations })),
    );
  });
});
