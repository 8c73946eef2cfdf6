/** HTTP server: timeouts, responses to bytes that are not HTTP, connection limits and draining. */
import { randomUUID } from 'node:crypto';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { faultBody, http } from '@suite/chassis/gateway';
import { connectionLimit } from './connections.ts';
import {
  BodyTooSlow,
  ChunksTooLarge,
  HeadersTooLarge,
  NotHttp,
  type GatewayFault,
  TooManyConnections,
} from './request/faults.ts';

const MAX_CONNECTIONS = 4_096;
const POLL_MS = 20;

const TIMEOUTS = {
  headersTimeout: 10_000,
  // Timeout for uploads. Other bodies have the deadline of their upstream.
  requestTimeout: 120_000,
  // Longer than the idle timeout of load balancers in front.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 2_000,
};

/** Address to listen on, with the maximum numbers of connections from one address and in total. */
interface Endpoint {
  host: string;
  port: number;
  per_address: number;
  all?: number;
}

/** Starts the server. @returns the server and its port */
export async function listen(
  app: RequestListener,
  { host, port, per_address, all = MAX_CONNECTIONS }: Endpoint,
): Promise<{ server: Server; port: number }> {
  // The chain rejects a missing Host header, in JSON.
  const server = http.createServer({ ...TIMEOUTS, requireHostHeader: false }, app);
  server.on('clientError', answerParserError);
  const refuse = (socket: Socket) => writeFault(socket, TooManyConnections()).destroySoon();
  server.on('connection', connectionLimit({ per_address, all }, refuse));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

const PARSER_FAULTS: Record<string, () => GatewayFault> = {
  HPE_HEADER_OVERFLOW: HeadersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ChunksTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: BodyTooSlow,
};

/** Responds to an error of the HTTP parser. No request exists yet, so the response is written to the socket. */
function answerParserError(error: NodeJS.ErrnoException, connection: object): void {
  const socket = connection as Socket & { _httpMessage?: { headersSent: boolean } | null };
  // After the head of another response, a second response would be read as part of the first.
  if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) {
    socket.destroy(error);
    return;
  }
  writeFault(socket, (PARSER_FAULTS[error.code ?? ''] ?? NotHttp)());
}

function writeFault(socket: Socket, fault: GatewayFault): Socket {
  const request_id = randomUUID();
  const body = JSON.stringify({ ...faultBody(fault), request_id });
  const head = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': request_id,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...fault.headers,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  const first = `HTTP/1.1 ${fault.status} ${http.STATUS_CODES[fault.status]}`;
  return socket.end(`${[first, ...lines].join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Stops accepting connections and waits for running requests. After `timeout_ms`, closes every connection. Does not
 * wait for idle connections.
 */
export async function drain(server: Server, running: () => number, timeout_ms: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (let waited_ms = 0; running() > 0 && waited_ms < timeout_ms; waited_ms += POLL_MS) await pause(POLL_MS);
  server.closeAllConnections();
  await closed;
}
