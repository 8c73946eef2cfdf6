/** The HTTP server: its patience with slow clients, its answers to what is no HTTP, and how it empties. */
import { randomUUID } from 'node:crypto';
import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { faultBody } from '@suite/chassis/gateway';
import { neighbourhood } from './limits/addresses.ts';
import {
  BodyTooSlow,
  ChunksTooLarge,
  HeadersTooLarge,
  NotHttp,
  type Refusal,
  TooManyConnections,
} from './request/faults.ts';

const MAX_CONNECTIONS = 4_096;
const LOOK_MS = 20;

const TIMEOUTS = {
  headersTimeout: 10_000,
  // For uploads; other bodies have the deadline of their service.
  requestTimeout: 120_000,
  // Above the idle time of the balancers in front.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 2_000,
};

/** Opens the server. @returns it with the port it listens on @param per_address how many connections one address may have */
export async function listen(
  app: RequestListener,
  at: { host: string; port: number; per_address: number },
): Promise<{ server: Server; port: number }> {
  // A missing Host header is refused by the chain, in JSON.
  const server = createServer({ ...TIMEOUTS, requireHostHeader: false }, app);
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', refuseNoise);
  server.on('connection', countConnections(at.per_address));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at.port, at.host, resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/** Turns away an address that has so many connections already: others want some, too. */
function countConnections(most: number): (socket: Socket) => void {
  const open = new Map<string, number>();
  return (socket) => {
    const address = neighbourhood(socket.remoteAddress);
    const now = (open.get(address) ?? 0) + 1;
    open.set(address, now);
    socket.once('close', () => {
      const left = (open.get(address) ?? 0) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    if (now > most) write(socket, TooManyConnections()).destroySoon();
  };
}

const NOISE: Record<string, () => Refusal> = {
  HPE_HEADER_OVERFLOW: HeadersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ChunksTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: BodyTooSlow,
};

/** Answers what the parser refused. There is no request yet, so the answer is written by hand. */
function refuseNoise(error: NodeJS.ErrnoException, connection: object): void {
  const socket = connection as Socket & { _httpMessage?: { headersSent: boolean } | null };
  // In the middle of another answer, one more would be taken for a part of it.
  if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) {
    socket.destroy(error);
    return;
  }
  write(socket, (NOISE[error.code ?? ''] ?? NotHttp)());
}

function write(socket: Socket, refusal: Refusal): Socket {
  const request_id = randomUUID();
  const body = JSON.stringify({ ...faultBody(refusal), request_id });
  const head = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': request_id,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...refusal.headers,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  const first = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`;
  return socket.end(`${[first, ...lines].join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Stops accepting, lets running requests end, and cuts off what is still there after `patience_ms`. A connection
 * without a request is not waited for: nobody expects an answer on it.
 */
export async function drain(server: Server, running: () => number, patience_ms: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (let waited_ms = 0; running() > 0 && waited_ms < patience_ms; waited_ms += LOOK_MS) await pause(LOOK_MS);
  server.closeAllConnections();
  await closed;
}
