import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type PostgresKind, secretManifests } from '../docker/kubernetes-secrets.ts';
import { startFakeApiServer } from './test/fake-api-server.ts';
import { CHART, connectedHelm, type HelmRun, RELEASE, render } from './test/helm-program.ts';
import type { Manifest } from './test/rules/manifest.ts';

const directory = mkdtempSync(join(tmpdir(), 'suite-secrets-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Returns the Secrets of keys.ts as a server stores them. */
const stored = (postgres: PostgresKind): Manifest[] =>
  secretManifests(directory, { release: RELEASE, postgres, ...(postgres === 'external' && { host: 'db' }) }).map(
    ({ stringData, ...secret }) => ({ ...secret, data: stringData }),
  );

const backup: Manifest = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: `${RELEASE}-backup` },
  data: { ACCESS_KEY_ID: '', ACCESS_SECRET_KEY: '' },
};

/** Only a real server describes the fields of its objects. */
const DRY_RUN = ['--dry-run=server', '--disable-openapi-validation'];

/** Runs Helm with a server that has these Secrets. */
async function run(command: string, file: string, secrets: readonly Manifest[], ...words: string[]): Promise<HelmRun> {
  const server = await startFakeApiServer(RELEASE, secrets, render([file]));
  try {
    const result = await connectedHelm(server.url, [
      command,
      RELEASE,
      CHART,
      '--namespace',
      RELEASE,
      '--values',
      join(CHART, file),
      ...words,
    ]);
    expect(server.changes).toEqual([]);
    return result;
  } finally {
    await server.close();
  }
}

const CHECKED = ['--set', 'checkSecrets=true'];

describe('helm install with checkSecrets', () => {
  test('names the first missing Secret, and changes nothing', async () => {
    const { status, stderr } = await run('install', 'values-small.yaml', [], ...CHECKED);
    expect(status).toBe(1);
    expect(stderr).toContain(
      'The Secret suite-crm-database does not exist in the namespace suite. Create the Secrets first, for example with',
    );
  });

  test('names the first missing key of a Secret, and changes nothing', async () => {
    const secrets = stored('single').map((secret) =>
      secret.metadata.name === 'suite-hr-keys' ? { ...secret, data: { 'private.pem': '' } } : secret,
    );
    const { status, stderr } = await run('install', 'values-small.yaml', secrets, ...CHECKED);
    expect(status).toBe(1);
    expect(stderr).toContain('The Secret suite-hr-keys in the namespace suite has no key nats.credentials.');
  });
});

describe('helm template --dry-run=server', () => {
  test.each([
    ['values-small.yaml', 'single'],
    ['values-per-service.yaml', 'cluster-per-service'],
  ] as const)('accepts the Secrets of keys.ts and a backup Secret: %s', async (file, kind) => {
    const { status, stderr } = await run('template', file, [...stored(kind), backup], ...DRY_RUN, ...CHECKED);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

describe('helm install --dry-run=server', () => {
  const NOTE = 'Pods wait until these Secrets exist. Create them,';

  test('needs no Secret, and names the missing ones in its notes', async () => {
    const secrets = stored('single').filter(({ metadata }) => metadata.name !== 'suite-hr-keys');
    const { status, stdout } = await run('install', 'values-small.yaml', secrets, ...DRY_RUN);
    const [, missing = ''] = stdout.split(NOTE);
    expect(status).toBe(0);
    expect(missing.match(/^- .*/gm)).toEqual(['- The Secret suite-hr-keys does not exist in the namespace suite.']);
  });

  test('has no such note if all Secrets exist', async () => {
    const { status, stdout } = await run('install', 'values-small.yaml', stored('single'), ...DRY_RUN);
    expect({ status, isMissing: stdout.includes(NOTE) }).toEqual({ status: 0, isMissing: false });
  });
});
