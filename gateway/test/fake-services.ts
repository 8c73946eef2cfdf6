import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Caller, openLog, serveRpc, startRpcServer, Unauthenticated } from '@suite/chassis/gateway';
import { type IntrospectRequest, PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { keysOf } from './keys.ts';
import { introspectionOf, type SignedInUser } from './signed-in-user.ts';

/** Request as a service received it. */
export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  raw_headers: string[];
  body: string;
  caller: Caller | null;
}

/** Fake service: a real HTTP server that responds as a test specifies. */
export interface FakeService {
  url: string;
  port: number;
  received: ReceivedRequest[];
  server: Server;
  /** Responds to requests, in place of the default response. */
  respond?: (request: IncomingMessage, response: ServerResponse) => void;
  stop(): Promise<void>;
}

/** Starts a service that responds with the method and path of the request. */
export async function fakeService(name: string, at_port = 0): Promise<FakeService> {
  const keys = keysOf(name);
  const service: FakeService = { url: '', port: 0, received: [], server: createServer(), stop: async () => undefined };
  service.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (service.respond) return service.respond(request, response);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders: raw_headers } = request;
      const { issuer, caller } = keys.verify(String(headers.authorization).slice('Bearer '.length), name);
      const received = { method, url, headers, raw_headers, body: Buffer.concat(chunks).toString(), caller };
      if (issuer === 'gateway') service.received.push(received);
      const text = JSON.stringify({ data: { service: name, method, url } });
      response.writeHead(200, { 'content-type': 'application/json', 'x-powered-by': 'a service' }).end(text);
    });
  });
  await new Promise<void>((resolve) => service.server.listen(at_port, '127.0.0.1', resolve));
  service.port = (service.server.address() as AddressInfo).port;
  service.url = `http://127.0.0.1:${service.port}`;
  service.stop = async () => {
    service.server.closeAllConnections();
    await new Promise((resolve) => service.server.close(resolve));
  };
  return service;
}

/** Fake of platform's gRPC side: knows some users, and can be slow, reject requests or fail. */
export interface FakePlatform {
  address: string;
  users: Set<SignedInUser>;
  /** White-label instances, by token. */
  instances: Map<string, { id: string; mode: string }>;
  requests: IntrospectRequest[];
  /** Runs before each response. A thrown fault becomes the response. */
  beforeResponse?: ((request: IntrospectRequest) => Promise<void> | void) | undefined;
  stop(): Promise<void>;
}

/** Starts the fake of platform's gRPC side. */
export async function fakePlatform(port = 0): Promise<FakePlatform> {
  const users = new Set<SignedInUser>();
  const instances: FakePlatform['instances'] = new Map();
  const requests: IntrospectRequest[] = [];
  const platform: FakePlatform = { address: '', users, instances, requests, stop: async () => undefined };
  const find = ({ credential }: IntrospectRequest) => {
    const instance = instances.get(credential?.value ?? '');
    if (instance) {
      const { id } = instance;
      const nobody = { session_id: '', api_key: '', api_key_id: '', authorization: '' };
      return { ...introspectionOf({ ...nobody, user_id: id, workspace_id: id }, 'api_key'), instance };
    }
    for (const user of users) {
      if (credential?.value === user.session_id) return introspectionOf(user, 'session');
      if (credential?.value === user.api_key) return introspectionOf(user, 'api_key');
    }
    return undefined;
  };
  const served = serveRpc(PlatformServiceDefinition, {
    async introspect(request) {
      requests.push(request);
      // Looked up first, so that a slow response contains old data.
      const found = find(request);
      await platform.beforeResponse?.(request);
      if (!found) throw Unauthenticated();
      return found;
    },
    batchGetUsers: async () => ({ users: [] }),
    batchGetRights: async () => ({ users: [] }),
    ensureClientUser: async () => ({ user: undefined, created: false }),
    ensureStaffUser: async () => ({ user: undefined, created: false }),
    getLetterhead: async () => ({}),
    prepareEmail: async () => ({}),
    getWorkspace: async () => ({}),
    reportStorage: async () => ({}),
    sendSms: async () => ({}),
    signInToTrack: async () => ({}),
  });
  const server = await startRpcServer({
    host: '127.0.0.1',
    port,
    services: [served],
    keys: keysOf('platform'),
    database: undefined as never,
    storage: undefined as never,
    log: openLog('platform', 'silent'),
  });
  platform.address = `127.0.0.1:${server.port}`;
  platform.stop = () => server.stop(0);
  return platform;
}
