/**
 * Publishes durably on one connection. The client library's own way has a timer, an error prepared in advance and a
 * look-up for each message; here one subscription hears all acknowledgements, and one timer watches them.
 */
import { createInbox, headers, type Msg, type NatsConnection } from 'nats';

const PATIENCE_MS = 5_000;
const LOOK_MS = 1_000;

interface Waiting {
  since: number;
  resolve: () => void;
  reject: (reason: Error) => void;
}

/** A stream's answer: it has taken a message, or refuses it. */
interface Acknowledgement {
  error?: { description?: string };
}

export class Publisher {
  readonly #nats: NatsConnection;
  readonly #inbox: string;
  readonly #waiting = new Map<string, Waiting>();
  #last = 0;

  /** @param inbox_prefix answers come to subjects that begin like this */
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

  /** Resolves when the stream of the subject has the message. @param id under which the stream keeps it once */
  async publish(subject: string, payload: string, id: string): Promise<void> {
    this.#last += 1;
    const token = String(this.#last);
    const about = headers();
    about.set('Nats-Msg-Id', id);
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
    if (message.headers?.code) return waiting.reject(new Error(`No stream took the message: ${message.headers.code}.`));
    const { error: refusal } = message.json<Acknowledgement>();
    if (refusal) waiting.reject(new Error(`The stream refused the message: ${refusal.description}.`));
    else waiting.resolve();
  }

  /** Gives up what has waited since then, or for longer. */
  #giveUp(since: number): void {
    for (const [token, waiting] of this.#waiting) {
      if (waiting.since > since) return;
      this.#waiting.delete(token);
      waiting.reject(new Error('No stream acknowledged the message.'));
    }
  }
}
