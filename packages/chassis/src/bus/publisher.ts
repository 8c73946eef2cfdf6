/**
 * Publishes durably on one connection. The method of the client library creates a timer, an error and a look-up for
 * each message. Here one subscription receives all acknowledgments, and one timer watches them.
 */
import { createInbox, headers, type Msg, type NatsConnection } from 'nats';
import { deadline } from '../runtime/config.ts';
import { EPOCH_HEADER } from './epoch.ts';

const PATIENCE_MS = deadline(5_000);
const LOOK_MS = 1_000;

interface Waiting {
  since: number;
  resolve: () => void;
  reject: (reason: Error) => void;
}

/** A stream's response to a message: stored or rejected. */
interface Acknowledgement {
  error?: { description?: string };
}

export class Publisher {
  readonly #nats: NatsConnection;
  readonly #inbox: string;
  readonly #waiting = new Map<string, Waiting>();
  #last = 0;

  /** @param inbox_prefix prefix of the subjects for responses */
  constructor(nats: NatsConnection, inbox_prefix: string) {
    this.#nats = nats;
    this.#inbox = createInbox(inbox_prefix);
    nats.subscribe(`${this.#inbox}.*`, { callback: (error, message) => this.#hear(error, message) });
    const looking = setInterval(() => this.#giveUp(performance.now() - PATIENCE_MS), LOOK_MS).unref();
    void nats.closed().then(() => {
      clearInterval(looking);
      this.#giveUp(Number.POSITIVE_INFINITY);
    });
  }

  /**
   * Resolves when the stream of the subject has the message.
   * @param id message ID, which the stream stores only once
   * @param epoch the epoch of the database that publishes the message
   */
  async publish(subject: string, payload: string, { id, epoch }: { id: string; epoch: number }): Promise<void> {
    this.#last += 1;
    const token = String(this.#last);
    const about = headers();
    about.set('Nats-Msg-Id', id);
    about.set(EPOCH_HEADER, String(epoch));
    const acknowledged = new Promise<void>((resolve, reject) => {
      this.#waiting.set(token, { since: performance.now(), resolve, reject });
    });
    try {
      this.#nats.publish(subject, payload, { headers: about, reply: `${this.#inbox}.${token}` });
    } catch (error) {
      this.#waiting.delete(token);
      throw error;
    }
    await acknowledged;
  }

  #hear(error: Error | null, message: Msg): void {
    const token = error ? '' : message.subject.slice(this.#inbox.length + 1);
    const waiting = this.#waiting.get(token);
    if (!waiting) return;
    this.#waiting.delete(token);
    if (message.headers?.code)
      return waiting.reject(new Error(`No stream stored the message: ${message.headers.code}.`));
    const { error: refusal } = message.json<Acknowledgement>();
    if (refusal) waiting.reject(new Error(`The stream rejected the message: ${refusal.description}.`));
    else waiting.resolve();
  }

  /** Rejects the messages that have waited since this time or longer. */
  #giveUp(since: number): void {
    for (const [token, waiting] of this.#waiting) {
      if (waiting.since > since) return;
      this.#waiting.delete(token);
      waiting.reject(new Error('No stream acknowledged the message.'));
    }
  }
}
