/** Waiting in tests: for busy services, and for eventual results. */
import { setTimeout as pause } from 'node:timers/promises';

const TRIES = 40;
const AGAIN_MS = 500;
const LOOK_MS = 20;
const SELDOM_MS = 150;
/** Longer than a consumer retries before an event becomes a dead letter, and shorter than the timeout of a test. */
const PATIENCE_MS = 60_000;

/** Returns true if a service answered "not now" (503, 504), in a reply or in an rpc error. */
export const isPostponed = (told: unknown): boolean => [503, 504].includes((told as { status?: number })?.status ?? 0);

/**
 * Returns true if a service was too busy: the chassis' `Unavailable`. Nothing has happened then, unless the database
 * connection was lost.
 */
export const isTooBusy = ({ status, body }: { status: number; body?: { code?: string } }): boolean =>
  status === 503 && body?.code === 'unavailable';

/**
 * Repeats a postponed request, as clients should do, at most forty times.
 * @param call must be safe to repeat, with the same key each time if it needs one
 * @param again returns true for answers that lead to a repetition
 * @returns the last answer
 */
export async function retryPostponed<T>(call: () => Promise<T>, again: (told: T) => boolean = isPostponed): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      const told = await call();
      if (tried === TRIES || !again(told)) return told;
    } catch (error) {
      if (tried === TRIES || !isPostponed(error)) throw error;
    }
    await pause(AGAIN_MS * (0.5 + Math.random()));
  }
}

/** Sends the same call many times concurrently. Postponed calls are repeated, as in `retryPostponed`. */
export const runConcurrently = <T>(
  times: number,
  call: (at: number) => Promise<T>,
  again?: (told: T) => boolean,
): Promise<T[]> => Promise.all(Array.from({ length: times }, (_, at) => retryPostponed(() => call(at), again)));

/**
 * Repeats an expectation until it holds. After the time limit, the last error is thrown unchanged.
 * @returns what the expectation returned
 */
export async function waitFor<T>(expectation: () => Promise<T> | T, within_ms = PATIENCE_MS): Promise<T> {
  const began = performance.now();
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      const waited_ms = performance.now() - began;
      if (waited_ms > within_ms) throw error;
      // Each check costs processor time, so checks become less frequent over time.
      await pause(Math.min(LOOK_MS + waited_ms / 10, SELDOM_MS));
    }
  }
}

/** Waits until a condition holds. @throws an Error that names the condition */
export const waitUntil = (what: string, holds: () => Promise<boolean> | boolean, within_ms?: number): Promise<void> =>
  waitFor(async () => {
    if (!(await holds())) throw new Error(`Timed out waiting until ${what}.`);
  }, within_ms);
