/** Reads the change feed for a waiting request, again and again from the last cursor. */
import { setTimeout as pause } from 'node:timers/promises';
import type { WakeSignal } from '@suite/chassis/gateway';
import { commonHeaders } from '../inner/inner-headers.ts';
import type { InnerResponse, SendInner } from '../inner/inner-request.ts';
import type { GatewayReply } from '../request/request-context.ts';

/** A change as the feed returns it. */
export interface FeedChange {
  cursor: string;
}

/** A response of the feed. */
export interface FeedResponse {
  status: number;
  headers: InnerResponse['headers'];
  text: string;
  /** The changes, if the request succeeded. */
  page: { changes: FeedChange[]; cursor: string; has_more: boolean } | undefined;
}

/**
 * Pauses between reads, in milliseconds. After a signal, a change may wait for an older transaction to end, so further reads
 * follow soon. Without a signal, a read only covers lost ones.
 */
const PAUSES_MS = [100, 1_000, 15_000, 300_000];
/** The pause after new changes, and the longest one after a failure, as indexes. */
const AFTER_CHANGES = 1;
const AFTER_FAILURE = 2;
/** Shortest time between reads for new signals. All changes since the last read arrive together. */
const LEAST_MS = 250;

/** Changes in one response. Halved if it is too large. */
const MOST_CHANGES = 100;

interface ReaderParts {
  send: SendInner;
  /** Waits for a free slot. @returns the function that frees the slot again */
  enterSlot: () => Promise<() => void>;
  /** The cursor to begin with, instead of the one in the query. */
  after: string | undefined;
}

/** Reads the feed as the caller of a request. */
export class ChangeReader {
  readonly #reply: GatewayReply;
  readonly #parts: ReaderParts;
  readonly #query: URLSearchParams;
  #sent = 0;
  /** Number of pauses since the last signal. */
  #quiet = PAUSES_MS.length - 1;
  #read_at = 0;

  constructor(reply: GatewayReply, parts: ReaderParts) {
    this.#reply = reply;
    this.#parts = parts;
    this.#query = new URL(reply.req.originalUrl, 'http://gateway').searchParams;
    this.#query.delete('wait');
    if (parts.after !== undefined) this.#query.set('after', parts.after);
  }

  /** Reads the changes after the last cursor. @throws the error of a connection that ends before the response */
  async read(): Promise<FeedResponse> {
    const leave = await this.#parts.enterSlot();
    this.#read_at = performance.now();
    const response = await this.#send().finally(leave);
    const { status, headers, content } = response;
    if (content === 'too_large') {
      this.#query.set('limit', String(Math.ceil(Number(this.#query.get('limit') ?? MOST_CHANGES) / 2)));
      return await this.read();
    }
    const text = typeof content === 'object' ? content.text : '';
    const page = status === 200 ? (JSON.parse(text) as { data: NonNullable<FeedResponse['page']> }).data : undefined;
    if (page) {
      this.#query.set('after', page.cursor);
      if (page.changes.length > 0) this.#quiet = AFTER_CHANGES;
    } else this.#quiet = Math.min(this.#quiet, AFTER_FAILURE);
    return { status, headers, text, page };
  }

  #send(): Promise<InnerResponse> {
    const { context } = this.#reply.locals;
    this.#sent += 1;
    return this.#parts.send({
      method: 'GET',
      path: `/api/changes?${this.#query}`,
      headers: { ...commonHeaders(this.#reply), 'x-request-id': `${context.id}-${this.#sent}` },
      body: undefined,
      address: context.address,
      is_part: true,
    });
  }

  /**
   * Waits until the next read is due, at most this long.
   * @returns true if it is due
   */
  async pause(waiting: WakeSignal, most_ms: number): Promise<boolean> {
    const { due_ms } = this;
    await waiting.sleep(Math.min(most_ms, due_ms));
    if (waiting.isWoken) {
      this.#quiet = 0;
      const soon_ms = this.#read_at + LEAST_MS - performance.now();
      if (soon_ms > 0) await pause(soon_ms);
      return true;
    }
    if (due_ms > most_ms) return false;
    this.#quiet = Math.min(this.#quiet + 1, PAUSES_MS.length - 1);
    return true;
  }

  /** Time until the next read without a signal. */
  get due_ms(): number {
    return Math.max(0, this.#read_at + PAUSES_MS[this.#quiet]! - performance.now());
  }
}
