/** The message bus, NATS JetStream, for the rest of the chassis. Nothing else knows NATS. */
import { setTimeout as pause } from 'node:timers/promises';
import * as jetstream from 'nats';
import { fault } from '../runtime/fault.ts';
import type { Log } from '../runtime/log.ts';

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

/** Keeps something at work until it is stopped. */
export function untilStopped(work: (stopping: AbortSignal) => Promise<unknown>): Stoppable {
  const stopping = new AbortController();
  const running = work(stopping.signal);
  const stop = async () => {
    stopping.abort();
    await running;
  };
  return { stop };
}

const ACK_WAIT_MS = 10_000;
const PULL_MS = 5_000;
const PATIENCE_MS = 5_000;
const RECONNECT_MS = 500;
const WEEK_MS = 7 * 86_400_000;
const NAME_IN_USE = 10_058;
const NO_MESSAGE = new Set([404, 408]);
const ADDRESSEE = 'Suite-Addressee';

const BusUnavailable = fault(503, 'bus_unavailable', 'The message bus does not answer.');

/** One stream for each service's events: `platform.user.deleted` is in PLATFORM. */
const streamOf = (subject: string): string => subject.slice(0, subject.indexOf('.')).toUpperCase();

/** Consumers in JetStream have no dots in their names. */
const durable = (name: string): string => name.replaceAll('.', '_');

/** Makes the stream if nobody has yet: a consumer may start before the service that it listens to. */
async function ensureStream(nats: jetstream.NatsConnection, name: string, replicas: number): Promise<void> {
  const { streams } = await nats.jetstreamManager({ checkAPI: false });
  const limits = {
    max_age: jetstream.nanos(WEEK_MS),
    duplicate_window: jetstream.nanos(120_000),
    num_replicas: replicas,
  };
  const subjects = [`${name.toLowerCase()}.>`];
  await streams.add({ name, subjects, storage: jetstream.StorageType.File, ...limits }).catch((error: unknown) => {
    // It is there with other limits: an operator's choice.
    if ((error as jetstream.NatsError).api_error?.err_code !== NAME_IN_USE) throw error;
  });
}

async function ensureConsumer(nats: jetstream.NatsConnection, name: string, subject: string): Promise<void> {
  const { consumers } = await nats.jetstreamManager({ checkAPI: false });
  await consumers.add(streamOf(subject), {
    durable_name: durable(name),
    filter_subject: subject,
    ack_policy: jetstream.AckPolicy.Explicit,
    ack_wait: jetstream.nanos(ACK_WAIT_MS),
    // One message at a time over all replicas: events take effect in the order in which they happened.
    max_ack_pending: 1,
    max_deliver: -1,
  });
}

interface Subscription {
  name: string;
  subject: string;
  take: Take;
  stopping: AbortSignal;
}

async function handOver(
  nats: jetstream.NatsConnection,
  message: jetstream.Msg,
  { name, take, stopping }: Subscription,
) {
  // On a connection that is gone nothing is said: the message comes again on the next, and the inbox knows it then.
  const answer = (text: string) => nats.isClosed() || message.respond(text);
  const addressee = message.headers?.get(ADDRESSEE);
  if (addressee && addressee !== name) return void answer('+ACK');
  const working = setInterval(answer, ACK_WAIT_MS / 3, '+WPI');
  try {
    // How often it was delivered is a token of the subject to answer on, which has a short and a long form.
    const tokens = message.reply?.split('.') ?? [];
    const attempt = Number(tokens[tokens.length === 9 ? 4 : 6]);
    const again = await take({ payload: message.string(), attempt, addressed: addressee === name }, stopping);
    answer(again ? `-NAK ${JSON.stringify({ delay: jetstream.nanos(again.retry_ms) })}` : '+ACK');
  } finally {
    clearInterval(working);
  }
}

/** Asks for one message after the other until the connection, the consumer or the wish for messages is gone. */
async function deliver(nats: jetstream.NatsConnection, subscription: Subscription): Promise<void> {
  const { name, subject, stopping } = subscription;
  const answers = nats.subscribe(jetstream.createInbox());
  const end = () => answers.unsubscribe();
  // A server that lost the consumer says nothing at all.
  const silence = setTimeout(end, PULL_MS + PATIENCE_MS);
  const next = `$JS.API.CONSUMER.MSG.NEXT.${streamOf(subject)}.${durable(name)}`;
  const request = JSON.stringify({ batch: 1, expires: jetstream.nanos(PULL_MS) });
  stopping.addEventListener('abort', end, { once: true });
  try {
    nats.publish(next, request, { reply: answers.getSubject() });
    for await (const message of answers) {
      const status = message.headers?.code ?? 0;
      if (status === 0) await handOver(nats, message, subscription);
      else if (!NO_MESSAGE.has(status)) return;
      if (stopping.aborted || nats.isClosed()) return;
      silence.refresh();
      nats.publish(next, request, { reply: answers.getSubject() });
    }
  } finally {
    clearTimeout(silence);
    stopping.removeEventListener('abort', end);
    end();
  }
}

/** The connection of a process to NATS. It is made in the background and for ever; see `connectBus`. */
export class Bus {
  readonly #options: Required<Parameters<typeof connectBus>[0]>;
  readonly #closing = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #keeping: Promise<void>;
  #nats: jetstream.NatsConnection | undefined;
  #streams: Record<string, Promise<void>> = {};

  constructor(options: Required<Parameters<typeof connectBus>[0]>) {
    this.#options = options;
    this.#keeping = this.#keepConnected();
  }

  /** For readiness. A service starts and writes without a bus: its events wait in the outbox. */
  connected(): boolean {
    return this.#nats !== undefined && !this.#nats.isClosed();
  }

  /** Calls back at every connection, the first and those after an interruption. */
  onConnect(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Publishes durably: resolves when the stream has the message. An `addressee` makes every other consumer ignore it. */
  async publish(
    subject: string,
    payload: string,
    { id, addressee }: { id: string; addressee?: string },
  ): Promise<void> {
    if (!this.#nats || this.#nats.isClosed()) throw BusUnavailable();
    const stream = streamOf(subject);
    const headers = jetstream.headers();
    if (addressee) headers.set(ADDRESSEE, addressee);
    try {
      await (this.#streams[stream] ??= ensureStream(this.#nats, stream, this.#options.replicas));
      await this.#nats.jetstream().publish(subject, payload, { msgID: id, headers, timeout: PATIENCE_MS });
    } catch (error) {
      delete this.#streams[stream]; // It may be gone: look again at the next message.
      throw error;
    }
  }

  /** Hands the messages of one subject to `take`, one after the other over all replicas, each until it is done. */
  consume(name: string, subject: string, take: Take): Stoppable {
    return untilStopped((stopping) => this.#keepConsuming({ name, subject, take, stopping }));
  }

  /** Hands every replica the messages that pass while it is connected, and no others: for dropping what is cached. */
  listen(subject: string, hear: (payload: string, subject: string) => void): void {
    const callback = (error: Error | null, message: jetstream.Msg) => error || hear(message.string(), message.subject);
    const subscribe = () => this.#nats?.subscribe(subject, { callback });
    this.#listeners.add(subscribe);
    if (this.connected()) subscribe();
  }

  /** Sends what is on its way and closes. */
  async drain(): Promise<void> {
    this.#closing.abort();
    const nats = this.#nats;
    // What is drained waits for an answer: for ever on a connection that is lost meanwhile.
    const patience = pause(PATIENCE_MS, undefined, { ref: false });
    await Promise.race([nats?.drain(), nats?.closed(), patience]).catch(() => undefined);
    await nats?.close();
    await this.#keeping;
  }

  // NATS's own reconnecting is off: a connection that ends is replaced, so that one path also heals streams and
  // consumers that a new server does not know.
  async #keepConnected(): Promise<void> {
    const { url, name, log } = this.#options;
    const servers = url.split(',');
    for (let failures = 0; !this.#closing.signal.aborted; ) {
      try {
        this.#nats = await jetstream.connect({ servers, name, reconnect: false, timeout: 3_000, pingInterval: 6_000 });
        log.info('Connected to NATS.');
        failures = 0;
        this.#streams = {};
        for (const listener of this.#listeners) listener();
        if (this.#closing.signal.aborted) await this.#nats.close();
        const reason = await this.#nats.closed();
        if (!this.#closing.signal.aborted) log.warn({ err: reason }, 'The connection to NATS is lost.');
      } catch (error) {
        if (failures === 0) log.warn({ err: error }, 'NATS does not answer. Events wait in the outbox.');
        failures += 1;
      }
      await pause(RECONNECT_MS, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }

  async #keepConsuming(subscription: Subscription): Promise<void> {
    const { name, subject, stopping } = subscription;
    while (!stopping.aborted && !this.#closing.signal.aborted) {
      try {
        if (this.#nats && this.connected()) {
          await ensureStream(this.#nats, streamOf(subject), this.#options.replicas);
          await ensureConsumer(this.#nats, name, subject);
          await deliver(this.#nats, subscription);
        }
      } catch (error) {
        this.#options.log.warn({ err: error, consumer: name }, 'A consumer cannot get at its stream. It tries again.');
      }
      await pause(RECONNECT_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}

/** Connects to NATS. @param options `replicas` is how many servers of a cluster keep each message */
export function connectBus(options: { url: string; name: string; log: Log; replicas?: number }): Bus {
  return new Bus({ replicas: 1, ...options });
}
