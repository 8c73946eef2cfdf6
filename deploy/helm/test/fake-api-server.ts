/** The part of an API server that Helm asks while it renders a chart. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Manifest } from './rules/manifest.ts';

const plural = (kind: string): string => kind.toLowerCase().replace(/y$/, 'ie').concat('s');

/** Returns the resources of each API version that objects use, as a server describes them. */
function discovery(objects: readonly Manifest[]): Record<string, object> {
  const versions = [...new Set(['v1', ...objects.map(({ apiVersion }) => apiVersion)])];
  const resourcesOf = (version: string): object[] => {
    const kinds = objects.filter(({ apiVersion }) => apiVersion === version).map(({ kind }) => kind);
    const all = version === 'v1' ? [...kinds, 'Secret', 'ServiceAccount'] : kinds;
    return [...new Set(all)].map((kind) => ({ name: plural(kind), kind, namespaced: true, verbs: ['get', 'create'] }));
  };
  const lists = versions.map((version) => [
    version === 'v1' ? '/api/v1' : `/apis/${version}`,
    { kind: 'APIResourceList', groupVersion: version, resources: resourcesOf(version) },
  ]);
  const groups = versions.flatMap((groupVersion) => {
    const [name, version] = groupVersion.split('/');
    return version
      ? [{ name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } }]
      : [];
  });
  return {
    '/version': { major: '1', minor: '35', gitVersion: 'v1.35.0' },
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups },
    ...(Object.fromEntries(lists) as Record<string, object>),
  };
}

const NOT_FOUND = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };

/** A running server. */
export interface FakeApiServer {
  url: string;
  /** Requests that change something: method and path. */
  changes: string[];
  close: () => Promise<void>;
}

/**
 * Starts a server with Secrets in one namespace, which has the service account that every namespace has.
 * @param objects objects of the kinds that the server has
 */
export async function startFakeApiServer(
  namespace: string,
  secrets: readonly Manifest[],
  objects: readonly Manifest[],
): Promise<FakeApiServer> {
  const folder = `/api/v1/namespaces/${namespace}`;
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } };
  const contents: Record<string, object> = {
    ...discovery(objects),
    [`${folder}/serviceaccounts/default`]: account,
    // Helm stores its releases in Secrets, and looks for earlier ones.
    [`${folder}/secrets`]: { kind: 'SecretList', apiVersion: 'v1', metadata: {}, items: [] },
    ...Object.fromEntries(secrets.map((secret) => [`${folder}/secrets/${secret.metadata.name}`, secret])),
  };
  const changes: string[] = [];
  const server = createServer(({ method = '', url = '' }, response) => {
    if (method !== 'GET') changes.push(`${method} ${url}`);
    const found = contents[url.split('?')[0] ?? ''];
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? NOT_FOUND));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    changes,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
