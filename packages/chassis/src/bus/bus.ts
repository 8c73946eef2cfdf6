/** The message bus, NATS JetStream. No other part of the chassis uses NATS directly. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import * as jetstream from 'nats';
import { deadline } from '../runtime/config.ts';
import { fault } from '../runtime/fault.ts';
import { type Log, OutageLog } from '../runtime/log.ts';
import { Publisher } from './publisher.ts';

/** An event in the stream of its service. */
export interface StreamMessage {
  /** The position in the stream, always increasing. */
  position: number;
  payload: string;
}

/** Current state of a stream. */
export interface StreamState {
  /** Creation time. Distinguishes the stream from a later stream of the same name. */
  created: string;
  /** The position of the newest message; 0 if the stream has had none. */
  last: number;
}

/** Something that can be stopped. The returned `Promise` resolves when the current work is finished. */
export interface Stoppable {
  stop(): Promise<void>;
}

/** Runs `work` until it is stopped. */
export function untilStopped(work: (stopping: AbortSignal) => Promise<unknown>): Stoppable {
  const stopping = new AbortController();
  const running = work(stopping.signal);
  const stop = async () => {
    stopping.abort();
    await running;
  };
  return { stop };
}

/** Number of messages in one read. */
export const BATCH = 200;
/** Number of messages read one by one first. Usually none follow, and a consumer would cost more. */
const FEW = 3;
const PATIENCE_MS = deadline(5_000);
const RECONNECT_MS = 500;
const WEEK_MS = 7 * 86_400_000;
const NAME_IN_USE = 10_058;
const NOT_FOUND = '404';

const BusUnavailable = fault(503, 'bus_unavailable', 'The message bus is unavailable. Try again shortly.');

/** The stream of a service's events: `platform.user.deleted` is in PLATFORM. */
const streamOf = (subject: string): string => subject.slice(0, subject.indexOf('.')).toUpperCase();

/**
 * Creates the stream of a service's own events unless it exists. An existing stream keeps its limits, which an operator may
 * have chosen, except for a given number of replicas.
 */
async function ensureStream(nats: jetstream.NatsConnection, name: string, replicas: number | undefined): Promise<void> {
  const { streams } = await nats.jetstreamManager({ checkAPI: false });
  const limits = {
    max_age: jetstream.nanos(WEEK_MS),
    duplicate_window: jetstream.nanos(120_000),
    num_replicas: replicas ?? 1,
  };
  const subjects = [`${name.toLowerCase()}.>`];
  await streams.add({ name, subjects, storage: jetstream.StorageType.File, ...limits }).catch((error: unknown) => {
    if ((error as jetstream.NatsError).api_error?.err_code !== NAME_IN_USE) throw error;
  });
  if (replicas === undefined || (await streams.info(name)).config.num_replicas === replicas) return;
  await streams.update(name, { num_replicas: replicas });
}

/** Returns undefined for a resource that does not exist. */
const ignoreMissing = (error: unknown): undefined => {
  if ((error as jetstream.NatsError).code !== NOT_FOUND) throw error;
};

/** Settings for the connection of a process to NATS. */
export interface BusOptions {
  /** The address of a server, or the addresses of a cluster separated by commas. */
  url: string;
  name: string;
  log: Log;
  /** A file with `name:password` or with the output of nsc. It is read at each connection. */
  credentials?: string | undefined;
  /** Number of servers in a cluster that keep each message. Without it, a new stream is kept on one server. */
  replicas?: number | undefined;
}

/** Returns the subject prefix for answers. No other service may subscribe to it. */
const inboxOf = (name: string): string => `_INBOX_${name}`;

function identify(file: string): jetstream.Authenticator {
  const text = readFileSync(file, 'utf8').trim();
  if (text.startsWith('-----BEGIN')) return jetstream.credsAuthenticator(new TextEncoder().encode(text));
  const [user = '', password] = text.split(':');
  return jetstream.usernamePasswordAuthenticator(user, password);
}

/** Connection of a process to NATS. Reconnects in the background without limit. See `connectBus`. */
export class Bus {
  readonly #options: BusOptions;
  readonly #closing = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #keeping: Promise<void>;
  #nats: jetstream.NatsConnection | undefined;
  #publisher: Publisher | undefined;
  #streams: Record<string, Promise<void>> = {};

  constructor(options: BusOptions) {
    this.#options = options;
    this.#keeping = this.#keepConnected();
  }

  /**
   * Checks whether the bus is connected, for readiness. A service starts and writes without a bus: its events wait in
   * the journal.
   */
  connected(): boolean {
    return this.#nats !== undefined && !this.#nats.isClosed();
  }

  /** Calls the listener at every connection: the first one, and each one after an interruption. */
  onConnect(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Publishes durably: resolves when the stream has stored the message. */
  async publish(subject: string, payload: string, { id }: { id: string }): Promise<void> {
    const nats = this.#connection();
    const stream = streamOf(subject);
    try {
      await (this.#streams[stream] ??= ensureStream(nats, stream, this.#options.replicas));
      await this.#publisher!.publish(subject, payload, id);
    } catch (error) {
      delete this.#streams[stream]; // The stream may have been deleted: check again at the next message.
      throw error;
    }
  }

  /** Returns the stream that contains a subject. Undefined if its service has published nothing yet. */
  async stream(subject: string): Promise<StreamState | undefined> {
    const { streams } = await this.#manager();
    const found = await streams.info(streamOf(subject)).catch(ignoreMissing);
    return found && { created: found.created, last: found.state.last_seq };
  }

  /**
   * Returns the first messages of a subject after a position. Returns fewer than `BATCH` only if there are no further
   * messages.
   * @param last end of the stream, if the caller has just read it
   * @throws BusUnavailable if the read is interrupted. Partial results are discarded
   */
  async read(subject: string, after: number, last?: number): Promise<StreamMessage[]> {
    const { streams } = await this.#manager();
    const messages: StreamMessage[] = [];
    let end = last;
    for (let from = after + 1; messages.length < FEW; ) {
      const request = { seq: from, next_by_subj: subject };
      const next = await streams.getMessage(streamOf(subject), request).catch(ignoreMissing);
      if (!next) return messages;
      messages.push({ position: next.seq, payload: next.string() });
      end ??= (await this.stream(subject))?.last ?? 0;
      if (next.seq >= end) return messages;
      from = next.seq + 1;
    }
    return [...messages, ...(await this.#readMany(subject, messages.at(-1)!.position, BATCH - FEW))];
  }

  /** Fetches many messages in one request, through a consumer that expires automatically. */
  async #readMany(subject: string, after: number, most: number): Promise<StreamMessage[]> {
    const nats = this.#connection();
    const { consumers } = await this.#manager();
    const stream = streamOf(subject);
    const name = randomUUID();
    const { num_pending } = await consumers.add(stream, {
      name,
      filter_subject: subject,
      opt_start_seq: after + 1,
      mem_storage: true,
      ack_policy: jetstream.AckPolicy.None,
      deliver_policy: jetstream.DeliverPolicy.StartSequence,
      inactive_threshold: jetstream.nanos(PATIENCE_MS),
    });
    const batch = Math.min(most, num_pending);
    if (batch === 0) return [];
    const answers = nats.subscribe(jetstream.createInbox(inboxOf(this.#options.name)), { timeout: PATIENCE_MS });
    const request = JSON.stringify({ batch, no_wait: true });
    nats.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`, request, { reply: answers.getSubject() });
    const messages: StreamMessage[] = [];
    for await (const message of answers) {
      if (message.headers?.code) break;
      // The reply subject contains the position in the stream as a token. The subject has a short and a long form.
      const tokens = message.reply?.split('.') ?? [];
      messages.push({ position: Number(tokens[tokens.length === 9 ? 5 : 7]), payload: message.string() });
      if (messages.length === batch) break;
    }
    answers.unsubscribe();
    // A closed connection also ends the loop. Treating it as the end of the stream would skip the messages that were
    // not received.
    if (messages.length < batch) throw BusUnavailable();
    return messages;
  }

  /**
   * Returns the position up to which an earlier release has processed a subject. That release kept the position in
   * NATS, in a durable consumer. The consumer stays for replicas of that release. NATS removes it after a week without
   * requests.
   */
  async earlierPosition(name: string, subject: string): Promise<number> {
    const { consumers } = await this.#manager();
    const [stream, durable] = [streamOf(subject), name.replaceAll('.', '_')];
    const known = await consumers.info(stream, durable).catch(ignoreMissing);
    if (!known) return 0;
    await consumers.update(stream, durable, { inactive_threshold: jetstream.nanos(WEEK_MS) });
    return known.ack_floor.stream_seq;
  }

  /** Passes messages published while the replica is connected to its listener, to invalidate caches. */
  listen(subject: string, hear: (payload: string, subject: string) => void): void {
    const callback = (error: Error | null, message: jetstream.Msg) => error || hear(message.string(), message.subject);
    const subscribe = () => this.#nats?.subscribe(subject, { callback });
    this.#listeners.add(subscribe);
    if (this.connected()) subscribe();
  }

  /** Sends the pending messages and closes the connection. */
  async drain(): Promise<void> {
    this.#closing.abort();
    const nats = this.#nats;
    // Draining waits for an answer, which never arrives if the connection is lost in the meantime.
    const patience = pause(PATIENCE_MS, undefined, { ref: false });
    await Promise.race([nats?.drain(), nats?.closed(), patience]).catch(() => undefined);
    await nats?.close();
    await this.#keeping;
  }

  // Replaces each connection that ends. The reconnection of the NATS client is off, so that one path also restores
  // streams and consumers on a new server.
  async #keepConnected(): Promise<void> {
    const { url, name, log, credentials } = this.#options;
    const patience = { timeout: deadline(3_000), pingInterval: deadline(6_000) };
    // `noAsyncTraces` avoids two errors that the client otherwise creates for each published message to record their
    // stacks.
    const settings = { name, reconnect: false, noAsyncTraces: true, inboxPrefix: inboxOf(name), ...patience };
    const outage = new OutageLog();
    while (!this.#closing.signal.aborted) {
      try {
        const authenticator = credentials ? { authenticator: identify(credentials) } : {};
        this.#nats = await jetstream.connect({ servers: url.split(','), ...settings, ...authenticator });
        log.info('Connected to NATS');
        outage.end();
        this.#publisher = new Publisher(this.#nats, inboxOf(name));
        this.#streams = {};
        for (const listener of this.#listeners) listener();
        if (this.#closing.signal.aborted) await this.#nats.close();
        const reason = await this.#nats.closed();
        if (!this.#closing.signal.aborted) log.warn({ err: reason }, 'Connection to NATS lost');
      } catch (error) {
        outage.failed(log, error, 'NATS unavailable; events wait in the journal');
      }
      await pause(RECONNECT_MS, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }

  #connection(): jetstream.NatsConnection {
    if (!this.#nats || this.#nats.isClosed()) throw BusUnavailable();
    return this.#nats;
  }

  #manager = () => this.#connection().jetstreamManager({ checkAPI: false, timeout: PATIENCE_MS });
}

/** Connects to NATS. */
export function connectBus(options: BusOptions): Bus {
  return new Bus(options);
}
