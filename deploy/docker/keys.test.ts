import { spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { natsProgram } from '@suite/local/servers';
import { loadKeys } from '@suite/chassis/identity';
import { rotateSigningKey } from '../local/src/data/keys.ts';
import { processes } from '../local/src/processes.ts';
import { render } from '../helm/test/helm-program.ts';
import { type Manifest, ofKind } from '../helm/test/rules/manifest.ts';
import { strictFaults } from '../helm/test/rules/strict.ts';
import { POSTGRES_KINDS, type PostgresKind, type SecretManifest, secretManifests } from './kubernetes-secrets.ts';

const place = mkdtempSync(join(tmpdir(), 'suite-keys-test-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const program = (...words: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'keys.ts'), ...words], { encoding: 'utf8' });
const secretsFor = (postgres: PostgresKind, directory = join(place, 'kept')): SecretManifest[] =>
  secretManifests(directory, { release: 'suite', postgres, ...(postgres === 'external' && { host: 'db.internal' }) });
const contentsOf = (secrets: readonly SecretManifest[], name: string): Record<string, string> =>
  secrets.find(({ metadata }) => metadata.name === name)?.stringData ?? {};

describe('the Secrets of the chart', () => {
  test.each(POSTGRES_KINDS)('are valid objects for %s', async (kind) => {
    expect(await strictFaults(secretsFor(kind) as unknown as Manifest[])).toEqual([]);
  });

  test('name the servers that the chart installs', () => {
    const hosts = (kind: PostgresKind) => [
      ...new Set(
        secretsFor(kind)
          .flatMap(({ stringData }) => stringData['DATABASE_URL'] ?? stringData['RATE_LIMIT_DATABASE_URL'] ?? [])
          .map((url) => new URL(url).hostname),
      ),
    ];
    const services = ofKind(render(['values-small.yaml']), 'Service').map(({ metadata }) => metadata.name);
    const clusters = (file: string) => ofKind(render([file]), 'Cluster').map(({ metadata }) => `${metadata.name}-rw`);
    expect(services).toEqual(expect.arrayContaining(hosts('single')));
    expect(hosts('cluster')).toEqual(clusters('values-ha.yaml'));
    expect(hosts('cluster-per-service')).toEqual(clusters('values-per-service.yaml'));
    expect(hosts('external')).toEqual(['db.internal']);
  });

  test('contain the keys that each process loads', () => {
    const secrets = secretsFor('single');
    for (const { name } of processes) {
      const folder = join(place, 'mounted', name);
      for (const kind of ['trusted', 'master']) mkdirSync(join(folder, kind), { recursive: true });
      for (const [key, text] of Object.entries(contentsOf(secrets, `suite-${name}-keys`)))
        writeFileSync(join(folder, key.replace(/^(trusted|master)-/, '$1/')), text);
      const keys = loadKeys(name, folder);
      expect([...keys.trusted.keys()].toSorted()).toEqual(processes.map((row) => row.name).toSorted());
    }
  });

  test('contain two public keys and the new private key while a key is rotated', () => {
    const folder = join(place, 'rotated');
    const names = processes.map(({ name }) => name);
    const [first = ''] = names;
    const keysOf = (name: string) => Object.keys(contentsOf(secretsFor('single', folder), `suite-${name}-keys`));
    const mounted = (name: string) =>
      ofKind(render(['values-small.yaml']), 'Deployment')
        .filter(({ metadata }) => metadata.name === `suite-${name}`)
        .flatMap(({ spec }) => [...JSON.stringify(spec).matchAll(/"key":"([^"]+)"/g)].map(([, key]) => key));
    expect(keysOf('gateway')).not.toContain(`trusted-${first}.second.pem`);
    for (const _ of ['create', 'use']) rotateSigningKey(folder, names, first, Date.now());
    expect(keysOf('gateway')).toContain(`trusted-${first}.second.pem`);
    expect(keysOf(first)).toContain('signing.pem');
    expect(mounted('gateway')).toEqual(expect.arrayContaining(keysOf('gateway')));
    expect(mounted(first)).toEqual(expect.arrayContaining(keysOf(first)));
  });

  test('stay the same with the same folder, and differ with another one', () => {
    expect(secretsFor('cluster')).toEqual(secretsFor('cluster'));
    const other = secretsFor('cluster', join(place, 'other'));
    expect(contentsOf(other, 'suite-crm-keys')).not.toEqual(contentsOf(secretsFor('cluster'), 'suite-crm-keys'));
  });

  test.each(['values-small.yaml', 'values-ha.yaml'])('complete a NATS configuration that NATS accepts: %s', (file) => {
    const folder = join(place, file);
    for (const each of ['config', 'users']) mkdirSync(join(folder, each), { recursive: true });
    const [config] = ofKind(render([file]), 'ConfigMap');
    const { command, version } = natsProgram();
    // NATS before 2.10 does not know this option.
    const isOld = version[0] === 2 && version[1] < 10;
    const text = String(config?.data?.['nats.conf'])
      .replace('/data', join(folder, 'data'))
      .replace(isOld ? /^\s*sync_interval: always$/m : '', '');
    writeFileSync(join(folder, 'config/nats.conf'), text);
    for (const [name, contents] of Object.entries(contentsOf(secretsFor('single'), 'suite-nats-users')))
      writeFileSync(join(folder, 'users', name), contents);
    const environment = { POD_NAME: 'suite-nats-0' };
    const check = (variables: Record<string, string>) =>
      spawnSync(command, ['-t', '--config', join(folder, 'config/nats.conf')], {
        env: variables,
        encoding: 'utf8',
      });
    expect(check(environment)).toMatchObject({ status: 0, stderr: expect.stringContaining('is valid') });
    expect(check({})).toMatchObject({ status: 1 });
  });
});

describe('node deploy/docker/keys.ts', () => {
  test('prints the Secrets', () => {
    const { status, stdout } = program('--kubernetes', '--release', 'north');
    const names = parseAllDocuments(stdout).map((document) => (document.toJS() as Manifest).metadata.name);
    expect(status).toBe(0);
    expect(names).toEqual(expect.arrayContaining(['north-crm-keys', 'north-crm-database', 'north-postgres-superuser']));
  });

  test('names the server behind a pooler for migrations', () => {
    const words = ['--kubernetes', '--postgres', 'external', '--host', 'pooler:6432', '--direct-host', 'db'];
    const secrets = parseAllDocuments(program(...words).stdout).map((document) => document.toJS() as Manifest);
    const data = secrets.find(({ metadata }) => metadata.name === 'suite-crm-database')?.data ?? {};
    const decode = (key: string) => Buffer.from(data[key] ?? '', 'base64').toString();
    expect(decode('DATABASE_URL')).toMatch(/^postgres:\/\/crm:[\w-]+@pooler:6432\/crm$/);
    expect(decode('DATABASE_DIRECT_URL')).toMatch(/^postgres:\/\/crm:[\w-]+@db:5432\/crm$/);
  });

  test.each([
    [[], 'Add --kubernetes.'],
    [['--kubernetes', '--release', 'North'], 'North is not the name of a Helm release.'],
    [['--kubernetes', '--postgres', 'mysql'], 'mysql is not a kind. Use external, single'],
    [['--kubernetes', '--postgres', 'external'], 'Add --host, the host of your PostgreSQL server.'],
    [['--kubernetes', '--postgres', 'external', '--host', 'tcp://db'], 'tcp://db is not a host. Enter one such as'],
    [['--kubernetes', '--host', 'db'], '--host is only for --postgres external.'],
    [['--kubernetes', '--namespace', 'a'], "Unknown option '--namespace'"],
  ])('rejects %j', (words, sentence) => {
    const { status, stdout, stderr } = program(...words);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(sentence);
  });
});
