/** The message bus, NATS JetStream. No other part of the chassis uses NATS directly. */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import * as jetstream from 'nats';
import { deadline } from '../runtime/config.ts';
import { type Log, OutageLog } from '../runtime/log.ts';
import { AnotherEpoch, assertEpoch, ensureStream, FIRST_EPOCH, streamOf } from './epoch.ts';
import { Publisher } from './publisher.ts';
import {
  BusUnavailable,
  readEarlierPosition,
  readMessages,
  readState,
  type StreamConnection,
  type StreamMessage,
  type StreamState,
} from './stream-reader.ts';

export { BATCH, type StreamMessage, type StreamState } from './stream-reader.ts';

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

const PATIENCE_MS = deadline(5_000);
const RECONNECT_MS = 500;

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
  /** Without them, the process connects to a bus of any epoch. */
  epochs?: EpochCheck;
}

/** Compares a bus with the database of a process at each connection. */
export interface EpochCheck {
  /** Reads the epoch of the database. */
  own(): Promise<number>;
  /** The services whose events the process publishes or reads. */
  services: readonly string[];
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
  #refusal: string | undefined;
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

  /**
   * Returns what an operator must do while the bus and the database have different epochs. The bus stays disconnected until
   * then, so the process neither reads nor publishes events.
   */
  refusal(): string | undefined {
    return this.#refusal;
  }

  /**
   * Publishes durably: resolves when the stream has stored the message.
   * @param epoch the epoch of the database
   */
  async publish(
    subject: string,
    payload: string,
    { id, epoch = FIRST_EPOCH }: { id: string; epoch?: number },
  ): Promise<void> {
    const nats = this.#connection();
    const stream = streamOf(subject);
    const key = `${stream} ${epoch}`;
    try {
      await (this.#streams[key] ??= ensureStream(nats, stream, { epoch, replicas: this.#options.replicas }));
      await this.#publisher!.publish(subject, payload, { id, epoch });
    } catch (error) {
      delete this.#streams[key]; // The stream may have been deleted: check again at the next message.
      if (error instanceof AnotherEpoch) await this.#refuse(error, nats);
      throw error;
    }
  }

  /** Returns the stream that contains a subject. Undefined if its service has published nothing yet. */
  stream = async (subject: string): Promise<StreamState | undefined> => readState(this.#reading(), streamOf(subject));

  /** Returns the first messages of a subject after a position. See `readMessages`. */
  read = async (subject: string, after: number, last?: number): Promise<StreamMessage[]> =>
    readMessages(this.#reading(), { subject, after, last });

  /** Returns the position up to which an earlier release has processed a subject. See `readEarlierPosition`. */
  earlierPosition = async (name: string, subject: string): Promise<number> =>
    readEarlierPosition(this.#reading(), name, subject);

  /**
   * Compares the stream of a subject with the database, before its events are read.
   * @throws AnotherEpoch after closing the connection, if they have different epochs
   */
  async assertEpoch(subject: string, { epoch: found }: StreamState, own: number): Promise<void> {
    const nats = this.#connection();
    try {
      assertEpoch(streamOf(subject), found, own);
    } catch (error) {
      await this.#refuse(error as AnotherEpoch, nats);
      throw error;
    }
  }

  /**
   * Sends a message that is not stored, on the subject `signals.<name>.<topic>`. It is lost while the bus is disconnected, and
   * for processes that do not listen.
   */
  signal(topic: string, payload: string): void {
    if (this.connected()) this.#nats!.publish(`signals.${this.#options.name}.${topic}`, payload);
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
        const nats = await jetstream.connect({ servers: url.split(','), ...settings, ...authenticator });
        await this.#compareEpochs(nats).catch(async (error: unknown) => {
          await nats.close();
          throw error;
        });
        this.#refusal = undefined;
        this.#nats = nats;
        log.info('Connected to NATS');
        outage.end();
        this.#publisher = new Publisher(this.#nats, inboxOf(name));
        this.#streams = {};
        for (const listener of this.#listeners) listener();
        if (this.#closing.signal.aborted) await this.#nats.close();
        const reason = await this.#nats.closed();
        if (!this.#closing.signal.aborted) log.warn({ err: reason }, 'Connection to NATS lost');
      } catch (error) {
        if (error instanceof AnotherEpoch) this.#report(error);
        else outage.failed(log, error, 'NATS unavailable; events wait in the journal');
      }
      await pause(RECONNECT_MS, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }

  /** Compares the streams with the database, before anything uses a new connection. @throws AnotherEpoch */
  async #compareEpochs(nats: jetstream.NatsConnection): Promise<void> {
    const { epochs } = this.#options;
    if (!epochs) return;
    const own = await epochs.own();
    for (const service of new Set(epochs.services)) {
      const stream = service.toUpperCase();
      assertEpoch(stream, (await readState({ nats }, stream))?.epoch, own);
    }
  }

  /** Leaves a bus that got another epoch while it was connected. Each reconnection compares the epochs again. */
  async #refuse(reason: AnotherEpoch, nats: jetstream.NatsConnection): Promise<void> {
    this.#report(reason);
    await nats.close();
  }

  #report({ message }: AnotherEpoch): void {
    if (message !== this.#refusal) this.#options.log.error(message);
    this.#refusal = message;
  }

  #connection(): jetstream.NatsConnection {
    if (!this.#nats || this.#nats.isClosed()) throw BusUnavailable();
    return this.#nats;
  }

  #reading = (): StreamConnection => ({ nats: this.#connection(), inbox_prefix: inboxOf(this.#options.name) });
}

/** Connects to NATS. */
export function connectBus(options: BusOptions): Bus {
  return new Bus(options);
}
