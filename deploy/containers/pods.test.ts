import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { V1PodSpec } from '@kubernetes/client-node';
import { secretManifests } from '../docker/kubernetes-secrets.ts';
import { RELEASE, render } from '../helm/test/helm-program.ts';
import { strictFaults } from '../helm/test/rules/strict.ts';
import { processes, services } from '../local/src/processes.ts';
import { playedPods, type Secrets } from './pods.ts';

const directory = mkdtempSync(join(tmpdir(), 'suite-pods-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const secrets: Secrets = new Map(
  secretManifests(directory, { release: RELEASE, postgres: 'single' }).map(({ metadata, stringData }) => [
    metadata.name,
    stringData,
  ]),
);
const objects = render(['values-small.yaml']);
const stage = { directory: '/volumes', address: (at: number) => `10.0.0.${at}`, secrets };
const pods = playedPods(objects, stage);

const podOf = (container: string) => {
  const pod = pods.find((one) => one.container.name === container);
  if (!pod) throw new Error(`No pod has the container ${container}.`);
  return { ...pod, spec: pod.manifest.spec as unknown as V1PodSpec };
};
const environmentOf = (container: string): Record<string, string | undefined> =>
  Object.fromEntries(podOf(container).spec.containers[0]!.env!.map(({ name, value }) => [name, value]));
const folderOf = (container: string, path: string) => podOf(container).folders.find((one) => one.path === path);

describe('the played pods', () => {
  test('are one for each process, server and job', () => {
    const names = [...processes.map(({ name }) => name), 'databases', 'nats', 'postgres'];
    expect(pods.map(({ container }) => container.name).toSorted()).toEqual(names.toSorted());
  });

  test('have only known fields', async () => {
    expect(await strictFaults(pods.map(({ manifest }) => manifest))).toEqual([]);
  });

  test('migrate in an init container with the database of the service', () => {
    for (const { name } of services) {
      const [migration] = podOf(name).spec.initContainers!;
      const url = secrets.get(`${RELEASE}-${name}-database`)!['DATABASE_URL'];
      expect(migration).toMatchObject({ name: 'migrate', env: [{ name: 'DATABASE_URL', value: url }] });
      expect(environmentOf(name)['DATABASE_URL']).toBe(url);
    }
  });

  test('are as confined as the chart requires', () => {
    const confined = {
      runAsNonRoot: true,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    };
    for (const { manifest } of pods) {
      const { containers, initContainers = [] } = manifest.spec as unknown as V1PodSpec;
      for (const container of [...initContainers, ...containers]) {
        expect(container.securityContext).toMatchObject(confined);
        expect(container.resources?.limits).toHaveProperty('memory');
      }
    }
    expect(podOf('postgres').spec.containers[0]?.securityContext?.runAsUser).toBe(999);
  });

  test('have the keys of their process, readable by its group only', () => {
    const keys = folderOf('crm', 'keys');
    const expected = secrets.get(`${RELEASE}-crm-keys`)!;
    expect(keys).toMatchObject({ mode: 0o755, group: 1000 });
    expect(keys?.files).toMatchObject({
      'private.pem': { text: expected['private.pem'], mode: 0o440 },
      'master/001.key': { text: expected['master-001.key'], mode: 0o440 },
      'trusted/platform.pem': { text: expected['trusted-platform.pem'], mode: 0o440 },
    });
    expect(Object.keys(keys!.files)).not.toContain('signing.pem');
  });

  test('write to volumes of their group, and to temporary folders', () => {
    expect(folderOf('crm', 'files')).toEqual({ path: 'files', mode: 0o2775, group: 1000, files: {} });
    expect(folderOf('postgres', 'data')).toEqual({ path: 'data', mode: 0o2775, group: 999, files: {} });
    expect(folderOf('nats', 'tmp')).toMatchObject({ mode: 0o777 });
    expect(folderOf('nats', 'config')?.files['nats.conf']?.text).toContain('jetstream');
  });

  test('find each other by the names of Services and of stateful pods', () => {
    const { address: gateway, spec } = podOf('gateway');
    const namesOf = (container: string) =>
      spec.hostAliases?.find(({ ip }) => ip === podOf(container).address)?.hostnames;
    expect(spec.hostAliases?.find(({ ip }) => ip === gateway)?.hostnames).toEqual(['suite-gateway']);
    expect(namesOf('crm')).toEqual(['suite-crm']);
    expect(namesOf('nats')).toEqual(['suite-nats', 'suite-nats-0.suite-nats']);
    expect(namesOf('postgres')).toEqual(['suite-postgres-rw', 'suite-postgres-0.suite-postgres-rw']);
  });

  test('have variables that refer to others replaced by values', () => {
    const password = secrets.get(`${RELEASE}-postgres-superuser`)!['password'];
    expect(environmentOf('databases')['ADMIN_URL']).toBe(
      `postgres://postgres:${password}@suite-postgres-rw:5432/postgres`,
    );
    expect(environmentOf('nats')['POD_NAME']).toBe('suite-nats-0');
  });

  test.each([
    ['suite-crm-keys', undefined, 'The Secret suite-crm-keys does not exist.'],
    ['suite-crm-keys', { 'private.pem': '' }, 'The Secret suite-crm-keys has no key nats.credentials.'],
    ['suite-hr-database', { password: '' }, 'The Secret suite-hr-database has no key DATABASE_URL.'],
  ])('are rejected without a Secret or key: %s %j', (name, contents, sentence) => {
    const changed = new Map(secrets);
    if (contents) changed.set(name, contents);
    else changed.delete(name);
    expect(() => playedPods(objects, { ...stage, secrets: changed })).toThrow(sentence);
  });
});
