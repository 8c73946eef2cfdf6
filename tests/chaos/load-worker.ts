/** Somebody at work: calls through the gateway, one thing after the other, until they are told to stop. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpCaller } from '@suite/testing';
import type { Recorder } from './recorder.ts';

/** The part of an answer that is built on: the record, and where goods were moved, which line moved them. */
export interface Thing {
  id: string;
  effects?: { stock_moves: { line_id: string }[] };
}

/** Something that somebody does from beginning to end, write by write. */
export interface Scenario {
  /** Stands in the records of this scenario, and nowhere else in the suite. */
  marker: string;
  /** Writes with a key of its own until the answer is known. @returns what was answered @throws when it was refused */
  step(kind: string, path: string, body?: object, method?: 'POST' | 'DELETE'): Promise<Thing>;
}

export type Task = (scenario: Scenario) => Promise<void>;

/** One write of each at most in so long: so many at work make a steady load. */
const PACE_MS = 300;

class Refused extends Error {}

/** Begins a scenario of somebody. */
function scenarioOf(person: HttpCaller, recorder: Recorder): Scenario {
  const marker = randomUUID();
  return {
    marker,
    async step(kind, path, body = {}, method = 'POST') {
      const paced = pause(PACE_MS);
      const sent = method === 'POST' ? JSON.stringify(body) : undefined;
      const content: Record<string, string> = sent ? { 'content-type': 'application/json' } : {};
      const { outcome, reply } = await recorder.write({
        kind,
        marker,
        send: (headers) => person.send(method, path, sent, { ...headers, ...content }),
      });
      await paced;
      if (outcome !== 'ok') throw new Refused(kind);
      return reply?.body.data;
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
