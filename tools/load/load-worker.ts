/** A user at work: calls through the gateway, one after the other, until a signal stops them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { dataOf, type HttpCaller } from '@suite/testing/http';
import { waitFor } from '@suite/testing/waiting';
import type { Recorder, Write } from './recorder.ts';

/** The part of a response that later steps use: the record and, for moved goods, the line that moved them. */
export interface CreatedRecord {
  id: string;
  status?: string;
  effects?: { stock_moves: { line_id: string }[] };
  /** The ticket created from an e-mail. */
  ticket_id?: string;
}

/** `gist` as in `send`. */
interface StepOptions extends Pick<Write, 'gist'> {
  method?: 'POST' | 'DELETE';
}

/** Work of a user from beginning to end, write by write. */
export interface Scenario {
  /** Unique text in the records of this scenario, and nowhere else in the suite. */
  marker: string;
  /**
   * Writes with an idempotency key until the result is known. Sends `POST` unless `method` is set. @returns the response
   * @throws if the request is rejected
   */
  step(kind: string, path: string, body?: object, options?: StepOptions): Promise<CreatedRecord>;
  /**
   * Same as `step`, for a write without a JSON body. `gist` extracts the part that must be identical in a repeated
   * response.
   */
  send(kind: string, write: Pick<Write, 'send' | 'gist'>): Promise<CreatedRecord>;
  /** Reads until a response arrives. */
  look(path: string): Promise<CreatedRecord[]>;
}

export type Task = (scenario: Scenario) => Promise<void>;

/** Returns the rest of a user after a write that took `took_ms`, in milliseconds. */
export type Pace = (took_ms: number) => number;

/** Minimum interval between two writes of a task: many tasks together make a steady load. */
const PACE_MS = 300;
/** Factor of a writer's rest after a slow response, up to a limit: a slow machine is loaded, not flooded. */
const RESTS = 3;
const REST_MS = 2_000;
const careful: Pace = (took_ms) => Math.max(PACE_MS - took_ms, Math.min(took_ms * RESTS, REST_MS));
/** Guaranteed recovery time after a fault. */
export const RECOVERY_MS = 60_000;

class RejectedStep extends Error {}

/** Begins a scenario of a user. */
function scenarioOf(person: HttpCaller, recorder: Recorder, pace: Pace): Scenario {
  const marker = randomUUID();
  async function send(kind: string, write: Pick<Write, 'send' | 'gist'>): Promise<CreatedRecord> {
    const began = performance.now();
    const { outcome, reply } = await recorder.write({ kind, marker, ...write });
    await pause(pace(performance.now() - began));
    if (outcome !== 'ok') throw new RejectedStep(kind);
    return reply?.body.data;
  }
  return {
    marker,
    send,
    async step(kind, path, body = {}, { method = 'POST', ...gist } = {}) {
      const sent = method === 'POST' ? JSON.stringify(body) : undefined;
      const content: Record<string, string> = sent ? { 'content-type': 'application/json' } : {};
      return await send(kind, {
        ...gist,
        send: (headers) => person.send(method, path, sent, { ...headers, ...content }),
      });
    },
    async look(path) {
      const found = await waitFor(async () => await dataOf(person.get(path)), RECOVERY_MS);
      return found as CreatedRecord[];
    },
  };
}

/**
 * Runs scenarios until the load ends. A started scenario is finished. A rejection ends a scenario and is recorded.
 * @param pace defaults to long rests after slow responses
 */
export async function runScenarios(
  person: HttpCaller,
  recorder: Recorder,
  task: Task,
  stopping: AbortSignal,
  pace: Pace = careful,
): Promise<void> {
  while (!stopping.aborted) {
    await task(scenarioOf(person, recorder, pace)).catch((error: unknown) => {
      if (!(error instanceof RejectedStep)) throw error;
    });
  }
}
