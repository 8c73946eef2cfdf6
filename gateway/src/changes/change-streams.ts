/** Requests that wait for changes: a long poll (`wait`), or a stream of server-sent events. */
import { once } from 'node:events';
import { invalid, type Log, WakeSignal } from '@suite/chassis/gateway';
import { isPart, type SendInner } from '../inner/inner-request.ts';
import { bulkhead, type BulkheadSlot } from '../limits/bulkhead.ts';
import { BadGateway, ServiceUnavailable, TooManyStreams } from '../request/faults.ts';
import { type GatewayReply, logFields, type Middleware } from '../request/request-context.ts';
import { sendFault } from '../request/send-fault.ts';
import { ChangeReader, type FeedResponse } from './change-reader.ts';
import type { ChangeSignals } from './change-signals.ts';

const OPERATION = 'GET /api/changes';
const WAIT_MAX_S = 25;
/** Maximum numbers of waiting requests, from one caller and in this process. */
const MAX_PER_CALLER = 20;
const MAX_STREAMS = 2_000;
/** Reads of all waiting requests that run at the same time. Other requests keep the rest of the capacity. */
const MAX_READS = 8;
/** Shorter than the idle timeouts of proxies. */
const HEARTBEAT_MS = 15_000;
/** Time after which a client connects again, in milliseconds. */
const RECONNECT_MS = 2_000;
/** Statuses of a service that is busy or restarting. A stream waits for its return. */
const TEMPORARY = new Set([429, 502, 503, 504]);

interface ChangeStreamOptions {
  signals: ChangeSignals;
  send: SendInner;
  /** True if the process waits for its last responses. */
  isDraining: () => boolean;
  log: Log;
}

interface Waiting {
  reply: GatewayReply;
  reader: ChangeReader;
  signal: WakeSignal;
  isOver: () => boolean;
}

/** Returns the seconds to wait. @throws a 422 that names `wait` */
function secondsIn(wait: unknown): number {
  if (wait === undefined) return 0;
  if (typeof wait === 'string' && /^\d{1,2}$/.test(wait) && Number(wait) <= WAIT_MAX_S) return Number(wait);
  throw invalid('wait', `Enter a whole number of seconds from 0 to ${WAIT_MAX_S}.`);
}

/** Sends a response of the feed to the client. */
function answer(reply: GatewayReply, { status, headers, text }: FeedResponse): void {
  if (reply.writableEnded || reply.destroyed) return;
  const retry_after = headers['retry-after'];
  reply.writeHead(status, {
    ...reply.locals.context.headers,
    ...(retry_after !== undefined && { 'retry-after': retry_after }),
    'content-type': headers['content-type'] ?? 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(text),
  });
  reply.end(text);
}

/** Responds with the first changes, or without changes after this time. */
async function poll({ reply, reader, signal, isOver }: Waiting, wait_ms: number): Promise<void> {
  const end = performance.now() + wait_ms;
  for (;;) {
    signal.begin();
    const response = await reader.read();
    const left_ms = end - performance.now();
    const { page } = response;
    if (!page || page.changes.length > 0 || left_ms <= 0 || isOver()) return answer(reply, response);
    if (!page.has_more) await reader.pause(signal, left_ms);
  }
}

/** Writes to the client, and waits until it has room for more. */
async function write(reply: GatewayReply, text: string): Promise<void> {
  if (reply.write(text) || reply.destroyed) return;
  const left = new AbortController();
  const closed = once(reply, 'close', { signal: left.signal });
  await Promise.race([once(reply, 'drain', { signal: left.signal }), closed]).catch(() => undefined);
  left.abort();
}

/** Returns the events of a page. A last line moves the cursor past changes that the caller does not see. */
function eventsOf({ changes, cursor }: NonNullable<FeedResponse['page']>, sent: string): string {
  const events = changes.map((change) => `id: ${change.cursor}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`);
  return events.join('') + (cursor === (changes.at(-1)?.cursor ?? sent) ? '' : `id: ${cursor}\n\n`);
}

/** Sends changes until the client leaves, the process stops, or the caller may no longer read them. */
async function stream({ reply, reader, signal, isOver }: Waiting): Promise<void> {
  signal.begin();
  let response = await reader.read();
  if (!response.page) return answer(reply, response);
  reply.writeHead(200, {
    ...reply.locals.context.headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  await write(reply, `retry: ${RECONNECT_MS}\n\n`);
  let sent = '';
  while (!isOver()) {
    if (response.page) {
      await write(reply, eventsOf(response.page, sent));
      sent = response.page.cursor;
    } else if (!TEMPORARY.has(response.status)) {
      reply.end(`event: error\ndata: ${response.text}\n\n`);
      return;
    }
    if (!response.page?.has_more)
      while (!isOver() && !(await reader.pause(signal, HEARTBEAT_MS))) await write(reply, ': heartbeat\n\n');
    if (isOver()) break;
    signal.begin();
    response = await reader.read();
  }
  reply.end();
}

/** Counts waiting requests. @returns the function that counts one more, and returns its end */
function waitingPlaces(): (caller: string) => () => void {
  const running = new Map<string, number>();
  let total = 0;
  return (caller) => {
    const own = running.get(caller) ?? 0;
    if (own >= MAX_PER_CALLER) throw TooManyStreams();
    if (total >= MAX_STREAMS) throw ServiceUnavailable();
    running.set(caller, own + 1);
    total += 1;
    return () => {
      const left = (running.get(caller) ?? 1) - 1;
      if (left > 0) running.set(caller, left);
      else running.delete(caller);
      total -= 1;
    };
  };
}

/** Divides the reads fairly among workspaces. @returns the function that waits for a free slot, and returns how to free it */
function fairSlots(): (workspace_id: string) => Promise<() => void> {
  const reads = bulkhead<(place: BulkheadSlot) => void>(MAX_READS, Number.POSITIVE_INFINITY, (begin, place) =>
    begin(place),
  );
  return async (workspace_id) => {
    const place = await new Promise<BulkheadSlot>((begin) => reads.enter(begin, [{ name: workspace_id, weight: 1 }]));
    return () => place.leave();
  };
}

/** Creates the step of the chain that handles requests which wait for changes. */
export function changeStreams({ signals, send, isDraining, log }: ChangeStreamOptions): Middleware {
  const enter = waitingPlaces();
  const enterSlot = fairSlots();

  const fail = (reply: GatewayReply, error: unknown): void => {
    log.warn({ err: error, ...logFields(reply.locals.context) }, 'Changes not read');
    sendFault(reply, BadGateway());
  };

  return (request, reply, next) => {
    const { operation, session } = reply.locals.context;
    if (operation?.name !== OPERATION || !session || isPart(request)) return next();
    const isStream = /\btext\/event-stream\b/i.test(request.headers.accept ?? '');
    const wait_s = secondsIn(request.query['wait']);
    if (!isStream && wait_s === 0) return next();
    const { workspace_id, user_id } = session.caller;
    const leave = enter(user_id);
    const signal = new WakeSignal();
    const unwatch = signals.watch(workspace_id, signal);
    reply.once('close', () => {
      leave();
      unwatch();
      signal.wake();
    });
    const last = request.headers['last-event-id'];
    const after = isStream && typeof last === 'string' ? last : undefined;
    const reader = new ChangeReader(reply, { send, enterSlot: () => enterSlot(workspace_id), after });
    const waiting = { reply, reader, signal, isOver: () => reply.destroyed || isDraining() };
    const done = isStream ? stream(waiting) : poll(waiting, wait_s * 1_000);
    done.catch((error: unknown) => fail(reply, error));
  };
}
