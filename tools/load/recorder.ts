/**
 * Records the client's view: all requests and responses. Writes them before and after each try to a file that only
 * grows. Acknowledged writes are then known regardless of what happens to the suite.
 */
import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Reply } from '@suite/testing';

/** A write that its client repeats, with one key, until the outcome is known. */
export interface Write {
  kind: string;
  /** Unique text in the record, and nowhere else in the suite. */
  marker: string;
  send(headers: Record<string, string>): Promise<Reply>;
  /** Returns the part of a response that must be identical for another try. Defaults to the whole response. */
  gist?(body: Reply['body']): unknown;
}

/** The outcome of a write: done, rejected for good, or still unknown a minute after the last fault. */
export interface Outcome {
  kind: string;
  marker: string;
  outcome: 'ok' | 'refused' | 'unknown';
  tries: number;
  reply: Reply | undefined;
  /** Times of the first try and of the last response, in milliseconds of `performance.now()`. */
  sent_at: number;
  settled_at: number;
}

export interface Recorder {
  outcomes: readonly Outcome[];
  /** Writes until the answer is known. Then repeats the write with the same key, like a client that lost the answer. */
  write(write: Write): Promise<Outcome>;
  /** Replays whose response differs from the first one. */
  contradictions: readonly string[];
}

/** Guaranteed time after the last fault within which every request is answered. */
const PATIENCE_MS = 60_000;
/** Wait before the first retry. Later waits grow up to a limit. */
const AGAIN_MS = 150;
const SELDOM_MS = 1_000;
/** Temporary errors: another request is still in progress. */
const IN_A_MOMENT = [
  'request_in_progress',
  'stock_pending',
  'reservation_pending',
  'billing_pending',
  'payroll_pending',
];
const isTemporary = ({ status, body }: Reply): boolean =>
  status >= 500 || status === 429 || IN_A_MOMENT.includes(body?.code);

const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('hex')
    .slice(0, 16);

/**
 * Creates a recorder that writes everything to `file`.
 * @param calm is aborted when all faults are over
 * @param replays which acknowledged writes are repeated: all, or only writes that needed more than one try
 */
export function recorder(file: string, calm: AbortSignal, replays: 'all' | 'retried' = 'all'): Recorder {
  const outcomes: Outcome[] = [];
  const contradictions: string[] = [];
  const note = (line: object) =>
    appendFileSync(file, `${JSON.stringify({ at: Math.round(performance.now()), ...line })}\n`);

  async function attempt(write: Write, key: string): Promise<Reply | undefined> {
    const { kind, marker } = write;
    note({ kind, marker, key, sent: true });
    const reply = await write.send({ 'idempotency-key': key }).catch((error: unknown) => {
      note({ kind, marker, key, lost: String(error) });
      return undefined;
    });
    if (reply) note({ kind, marker, key, status: reply.status, code: reply.body?.code, body: hashOf(reply.body) });
    return reply;
  }

  let ends = Number.POSITIVE_INFINITY;
  calm.addEventListener('abort', () => {
    ends = performance.now() + PATIENCE_MS;
  });

  async function settle(write: Write, key: string): Promise<Outcome> {
    const { kind, marker } = write;
    const sent_at = performance.now();
    for (let tries = 1; ; tries += 1) {
      const reply = await attempt(write, key);
      const settled_at = performance.now();
      const result = { kind, marker, tries, reply, sent_at, settled_at };
      if (reply && !isTemporary(reply)) return { ...result, outcome: reply.status < 300 ? 'ok' : 'refused' };
      if (settled_at > ends) return { ...result, outcome: 'unknown' };
      await pause(Math.min(AGAIN_MS * tries, SELDOM_MS));
    }
  }

  return {
    outcomes,
    contradictions,
    async write(write) {
      const key = randomUUID();
      const first = await settle(write, key);
      outcomes.push(first);
      if (first.outcome !== 'ok' || (replays === 'retried' && first.tries === 1)) return first;
      const second = await settle(write, key);
      const [told, again] = [first, second].map(({ reply }) => hashOf(write.gist?.(reply?.body) ?? reply?.body));
      if (second.outcome !== 'ok' || told !== again) {
        contradictions.push(`${write.kind} ${write.marker}: ${JSON.stringify(second.reply?.body)}`);
      }
      return first;
    },
  };
}
