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

/** A request as a service received it. */
export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  raw_headers: string[];
  body: string;
  caller: Caller | null;
}

/** A fake service: a real HTTP server that answers as a test wants. */
export interface FakeService {
  url: string;
  port: number;
  received: ReceivedRequest[];
  server: Server;
  /** Answers the requests in place of the default. */
  respond?: (request: IncomingMessage, response: ServerResponse) => void;
  stop(): Promise<void>;
}

/** Starts a service that answers with the request's method and path. */
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

/** Platform's gRPC side: knows some users, and can be slow, refuse or fail. */
export interface FakePlatform {
  address: string;
  users: Set<SignedInUser>;
  /** White-label instances, by their tokens. */
  instances: Map<string, { id: string; mode: string }>;
  requests: IntrospectRequest[];
  /** Runs before each response; a fault that it throws is the response. */
  beforeResponse?: ((request: IntrospectRequest) => Promise<void> | void) | undefined;
  stop(): Promise<void>;
}

/** Starts the gRPC side of platform. */
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
      // Looked up first, so that a slow response is a stale one.
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
