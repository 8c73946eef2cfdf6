/**
 * The client's side of the truth: what was sent, and what was answered. It is written down before and after each try, to
 * a file that only grows, so that what was acknowledged is known whatever happens to the suite.
 */
import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Reply } from '@suite/testing';

/** A write that its client repeats, with one key, until it knows what came of it. */
export interface Write {
  kind: string;
  /** Stands in the record, and nowhere else in the suite. */
  marker: string;
  send(headers: Record<string, string>): Promise<Reply>;
  /** The part of an answer that another try is answered alike; all of it unless said otherwise. */
  gist?(body: Reply['body']): unknown;
}

/** The outcome of a write: done, refused for good, or not known a minute after the last fault. */
export interface Outcome {
  kind: string;
  marker: string;
  outcome: 'ok' | 'refused' | 'unknown';
  tries: number;
  reply: Reply | undefined;
}

export interface Recorder {
  outcomes: readonly Outcome[];
  /** Writes until the answer is known; afterwards once more with the same key, as somebody who lost the answer would. */
  write(write: Write): Promise<Outcome>;
  /** Replays whose answer was another than the first. */
  contradictions: readonly string[];
}

/** The promise: so long after the last fault, everything is answered. */
const PATIENCE_MS = 60_000;
/** It is asked again after so long, and later each time, up to a limit. */
const AGAIN_MS = 150;
const SELDOM_MS = 1_000;
/** Refusals that say "not now": somebody else is still at it. */
const IN_A_MOMENT = ['request_in_progress', 'stock_pending', 'reservation_pending', 'billing_pending'];
const isTemporary = ({ status, body }: Reply): boolean =>
  status >= 500 || status === 429 || IN_A_MOMENT.includes(body?.code);

const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('hex')
    .slice(0, 16);

/**
 * Makes a recorder that notes everything in `file`.
 * @param calm says that there will be no more faults
 */
export function recorder(file: string, calm: AbortSignal): Recorder {
  const outcomes: Outcome[] = [];
  const contradictions: string[] = [];
  const note = (line: object) => appendFileSync(file, `${JSON.stringify(line)}\n`);

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
    for (let tries = 1; ; tries += 1) {
      const reply = await attempt(write, key);
      if (reply && !isTemporary(reply)) {
        return { kind, marker, tries, reply, outcome: reply.status < 300 ? 'ok' : 'refused' };
      }
      if (performance.now() > ends) return { kind, marker, tries, reply, outcome: 'unknown' };
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
      if (first.outcome !== 'ok') return first;
      const second = await settle(write, key);
      const [told, again] = [first, second].map(({ reply }) => hashOf(write.gist?.(reply?.body) ?? reply?.body));
      if (second.outcome !== 'ok' || told !== again) {
        contradictions.push(`${write.kind} ${write.marker}: ${JSON.stringify(second.reply?.body)}`);
      }
      return first;
    },
  };
}
