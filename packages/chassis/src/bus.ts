/** The message bus, NATS JetStream, for the rest of the chassis. Nothing else knows NATS. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  AckPolicy,
  connect,
  DeliverPolicy,
  headers,
  createInbox,
  type Msg,
  type NatsConnection,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
} from 'nats';
import { fault } from './fault.ts';
import type { Log } from './log.ts';

/** A message on its way to a consumer. */
export interface Delivery {
  payload: string;
  /** 1 for the first delivery. */
  attempt: number;
  /** Meant for this consumer alone: somebody replays it. */
  addressed: boolean;
}

/** Takes a message in. What it returns says when to deliver the message again; nothing means that it is done. */
export type Take = (delivery: Delivery, stopping: AbortSignal) => Promise<{ retry_ms: number } | undefined>;

/** Something that can be ended; the promise resolves when the work in hand is finished. */
export interface Stoppable {
  stop(): Promise<void>;
}

export interface Bus {
  /** For readiness. A service starts and writes without a bus: its events wait in the outbox. */
  connected(): boolean;
  /** Calls back at every connection, the first and those after an interruption. */
  onConnect(listener: () => void): void;
  /** Publishes durably: resolves when the stream has the message. An `addressee` makes every other consumer ignore it. */
  publish(subject: string, payload: string, message: { id: string; addressee?: string }): Promise<void>;
  /** Hands the messages of one subject to `take`, one after the other over all replicas, each until it is done. */
  consume(name: string, subject: string, take: Take): Stoppable;
  /** Hands every replica the messages that pass while it is connected, and no others: for dropping what is cached. */
  listen(subject: string, hear: (payload: string, subject: string) => void): void;
  /** Sends what is on its way and closes. */
  drain(): Promise<void>;
}

const DAY_MS = 86_400_000;
const ACK_WAIT_MS = 30_000;
const PULL_MS = 5_000;
const PATIENCE_MS = 5_000;
const RECONNECT_MS = 500;
const STREAM_NOT_FOUND = 10_059;
const NO_MESSAGE = new Set([404, 408]);
const ADDRESSEE = 'Suite-Addressee';

const BusUnavailable = fault(503, 'bus_unavailable', 'The message bus does not answer.');

/** One stream for each service's events: `platform.user.deleted` is in PLATFORM. */
const streamOf = (subject: string): string => subject.slice(0, subject.indexOf('.')).toUpperCase();

/** The names of JetStream consumers have no dots. */
const durable = (name: string): string => name.replaceAll('.', '_');

/** Makes the stream if nobody has yet: a consumer may start before the service that it listens to. */
async function ensureStream(nats: NatsConnection, stream: string, replicas: number): Promise<void> {
  const { streams } = await nats.jetstreamManager({ checkAPI: false });
  try {
    await streams.info(stream);
  } catch (error) {
    if (!(error instanceof NatsError) || error.api_error?.err_code !== STREAM_NOT_FOUND) throw error;
    await streams.add({
      name: stream,
      subjects: [`${stream.toLowerCase()}.>`],
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      max_age: nanos(7 * DAY_MS),
      duplicate_window: nanos(120_000),
      num_replicas: replicas,
    });
  }
}

async function ensureConsumer(nats: NatsConnection, name: string, subject: string): Promise<void> {
  const { consumers } = await nats.jetstreamManager({ checkAPI: false });
  await consumers.add(streamOf(subject), {
    durable_name: durable(name),
    filter_subject: subject,
    deliver_policy: DeliverPolicy.All,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
    // One message at a time over all replicas: events take effect in the order in which they happened.
    max_ack_pending: 1,
    max_deliver: -1,
  });
}

/** How often the server has handed this message out: a token of the subject to answer on, which has two forms. */
function attempts(message: Msg): number {
  const tokens = message.reply?.split('.') ?? [];
  return Number(tokens[tokens.length === 9 ? 4 : 6]);
}

async function handOver(message: Msg, name: string, take: Take, stopping: AbortSignal): Promise<void> {
  const addressee = message.headers?.get(ADDRESSEE);
  if (addressee && addressee !== name) return void message.respond('+ACK');
  const working = setInterval(() => message.respond('+WPI'), ACK_WAIT_MS / 3);
  try {
    const delivery = { payload: message.string(), attempt: attempts(message), addressed: addressee === name };
    const again = await take(delivery, stopping);
    message.respond(again ? `-NAK ${JSON.stringify({ delay: nanos(again.retry_ms) })}` : '+ACK');
  } finally {
    clearInterval(working);
  }
}

/** Asks for one message after the other until the connection, the consumer or the wish for messages is gone. */
async function deliver(nats: NatsConnection, name: string, subject: string, take: Take, stopping: AbortSignal): Promise<void> {
  const answers = nats.subscribe(createInbox());
  const end = () => answers.unsubscribe();
  // A server that lost the consumer says nothing at all.
  const silence = setTimeout(end, PULL_MS + PATIENCE_MS);
  const ask = () => {
    silence.refresh();
    const next = `$JS.API.CONSUMER.MSG.NEXT.${streamOf(subject)}.${durable(name)}`;
    nats.publish(next, JSON.stringify({ batch: 1, expires: nanos(PULL_MS) }), { reply: answers.getSubject() });
  };
  stopping.addEventListener('abort', end, { once: true });
  try {
    ask();
    for await (const message of answers) {
      const status = message.headers?.code ?? 0;
      if (status === 0) await handOver(message, name, take, stopping);
      else if (!NO_MESSAGE.has(status)) return;
      if (stopping.aborted || nats.isClosed()) return;
      ask();
    }
  } finally {
    clearTimeout(silence);
    stopping.removeEventListener('abort', end);
    end();
  }
}

/**
 * Connects in the background and for ever.
 * @param replicas how many servers of a cluster keep each message.
 */
export function connectBus(options: { url: string; name: string; log: Log; replicas?: number }): Bus {
  const { url, name: client, log, replicas = 1 } = options;
  const closing = new AbortController();
  const listeners = new Set<() => void>();
  let nats: NatsConnection | undefined;
  let streams = new Map<string, Promise<void>>();

  // NATS's own reconnecting is off: a connection that ends is replaced, so that one path also heals streams and
  // consumers that a new server does not know.
  async function keepConnected(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; ) {
      try {
        nats = await connect({ servers: url.split(','), name: client, reconnect: false, timeout: 3_000, pingInterval: 10_000 });
        log.info('Connected to NATS.');
        failures = 0;
        streams = new Map();
        for (const listener of listeners) listener();
        if (closing.signal.aborted) await nats.close();
        const reason = await nats.closed();
        if (!closing.signal.aborted) log.warn({ err: reason }, 'The connection to NATS is lost.');
      } catch (error) {
        if (failures === 0) log.warn({ err: error }, 'NATS does not answer. Events wait in the outbox.');
        failures += 1;
      }
      nats = undefined;
      await pause(RECONNECT_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  function stream(connection: NatsConnection, subject: string): Promise<void> {
    const name = streamOf(subject);
    const known = streams.get(name) ?? ensureStream(connection, name, replicas);
    streams.set(name, known);
    known.catch(() => streams.delete(name));
    return known;
  }

  async function publish(subject: string, payload: string, message: { id: string; addressee?: string }): Promise<void> {
    if (!nats || nats.isClosed()) throw BusUnavailable();
    await stream(nats, subject);
    const head = headers();
    if (message.addressee) head.set(ADDRESSEE, message.addressee);
    try {
      await nats.jetstream().publish(subject, payload, { msgID: message.id, headers: head, timeout: PATIENCE_MS });
    } catch (error) {
      streams.delete(streamOf(subject)); // It may be gone: look again at the next message.
      throw error;
    }
  }

  function consume(name: string, subject: string, take: Take): Stoppable {
    const stopping = new AbortController();
    const run = async () => {
      while (!stopping.signal.aborted && !closing.signal.aborted) {
        try {
          if (nats) {
            await stream(nats, subject);
            await ensureConsumer(nats, name, subject);
            await deliver(nats, name, subject, take, stopping.signal);
            streams.delete(streamOf(subject));
          }
        } catch (error) {
          log.warn({ err: error, consumer: name }, 'A consumer cannot get at its stream. It tries again.');
        }
        await pause(RECONNECT_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    };
    const running = run();
    return {
      async stop() {
        stopping.abort();
        await running;
      },
    };
  }

  const keeping = keepConnected();
  return {
    connected: () => nats !== undefined && !nats.isClosed(),
    onConnect: (listener) => void listeners.add(listener),
    publish,
    consume,
    listen(subject, hear) {
      const subscribe = () =>
        nats?.subscribe(subject, { callback: (error, message) => error || hear(message.string(), message.subject) });
      listeners.add(subscribe);
      subscribe();
    },
    async drain() {
      closing.abort();
      await nats?.drain().catch(() => undefined);
      await keeping;
    },
  };
}
