/** A user at work: calls through the gateway, one thing after the other, until they are told to stop. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { dataOf, type HttpCaller } from '@suite/testing/http';
import { eventually } from '@suite/testing/patience';
import type { Recorder, Write } from './recorder.ts';

/** The part of an answer that is built on: the record, and where goods were moved, which line moved them. */
export interface Thing {
  id: string;
  effects?: { stock_moves: { line_id: string }[] };
  /** The ticket that an e-mail became. */
  ticket_id?: string;
}

/** Something that somebody does from beginning to end, write by write. */
export interface Scenario {
  /** Stands in the records of this scenario, and nowhere else in the suite. */
  marker: string;
  /** Writes with a key of its own until the answer is known. @returns what was answered @throws when it was refused */
  step(kind: string, path: string, body?: object, method?: 'POST' | 'DELETE'): Promise<Thing>;
  /** The same with another write than a JSON body: what must be alike when it is asked for again is said by `gist`. */
  send(kind: string, write: Pick<Write, 'send' | 'gist'>): Promise<Thing>;
  /** Reads until there is an answer. */
  look(path: string): Promise<Thing[]>;
}

export type Task = (scenario: Scenario) => Promise<void>;

/** One write of each at most in so long: so many at work make a steady load. */
const PACE_MS = 300;
/** A writer that is answered slowly rests so many times as long, up to a limit: a slow machine is loaded, not flooded. */
const RESTS = 3;
const REST_MS = 2_000;
/** The promised time after a fault. */
export const RECOVERY_MS = 60_000;

class Refused extends Error {}

/** Begins a scenario of somebody. */
function scenarioOf(person: HttpCaller, recorder: Recorder): Scenario {
  const marker = randomUUID();
  async function send(kind: string, write: Pick<Write, 'send' | 'gist'>): Promise<Thing> {
    const began = performance.now();
    const { outcome, reply } = await recorder.write({ kind, marker, ...write });
    const took_ms = performance.now() - began;
    await pause(Math.max(PACE_MS - took_ms, Math.min(took_ms * RESTS, REST_MS)));
    if (outcome !== 'ok') throw new Refused(kind);
    return reply?.body.data;
  }
  return {
    marker,
    send,
    async step(kind, path, body = {}, method = 'POST') {
      const sent = method === 'POST' ? JSON.stringify(body) : undefined;
      const content: Record<string, string> = sent ? { 'content-type': 'application/json' } : {};
      return await send(kind, { send: (headers) => person.send(method, path, sent, { ...headers, ...content }) });
    },
    async look(path) {
      const found = await eventually(async () => await dataOf(person.get(path)), RECOVERY_MS);
      return found as Thing[];
    },
  };
}

/** Works until the load is over; a scenario that has begun is finished. A refusal ends a scenario, and is recorded. */
export async function work(person: HttpCaller, recorder: Recorder, task: Task, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await task(scenarioOf(person, recorder)).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    });
  }
}
