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
import { answerAbout, type Person } from './signed-in-user.ts';

/** A request as a service saw it. */
export interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  raw_headers: string[];
  body: string;
  caller: Caller | null;
}

/** A service behind the gateway: a real HTTP server, which answers what a test wants. */
export interface StandIn {
  url: string;
  port: number;
  seen: Seen[];
  server: Server;
  /** Takes over the next requests. */
  answer?: (request: IncomingMessage, response: ServerResponse) => void;
  stop(): Promise<void>;
}

/** Starts a service that tells what it was asked. */
export async function standIn(name: string, at_port = 0): Promise<StandIn> {
  const keys = keysOf(name);
  const service: StandIn = { url: '', port: 0, seen: [], server: createServer(), stop: async () => undefined };
  service.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (service.answer) return service.answer(request, response);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders: raw_headers } = request;
      const { issuer, caller } = keys.verify(String(headers.authorization).slice('Bearer '.length), name);
      const seen = { method, url, headers, raw_headers, body: Buffer.concat(chunks).toString(), caller };
      if (issuer === 'gateway') service.seen.push(seen);
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

/** Platform's gRPC side: knows some people, and can be slow, or refuse, or break. */
export interface PlatformStandIn {
  address: string;
  people: Set<Person>;
  asked: IntrospectRequest[];
  /** Runs before an answer is given; what it throws is the answer. */
  before?: ((request: IntrospectRequest) => Promise<void> | void) | undefined;
  stop(): Promise<void>;
}

/** Starts it. */
export async function platformStandIn(port = 0): Promise<PlatformStandIn> {
  const people = new Set<Person>();
  const asked: IntrospectRequest[] = [];
  const platform: PlatformStandIn = { address: '', people, asked, stop: async () => undefined };
  const find = ({ credential }: IntrospectRequest) => {
    for (const person of people) {
      if (credential?.value === person.session_id) return answerAbout(person, 'session');
      if (credential?.value === person.api_key) return answerAbout(person, 'api_key');
    }
    return undefined;
  };
  const served = serveRpc(PlatformServiceDefinition, {
    async introspect(request) {
      asked.push(request);
      // Looked up first: an answer that is slow on its way is a stale one.
      const found = find(request);
      await platform.before?.(request);
      if (!found) throw Unauthenticated();
      return found;
    },
    batchGetUsers: async () => ({ users: [] }),
    ensureClientUser: async () => ({ user: undefined, created: false }),
    getLetterhead: async () => ({}),
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
