/** How tests wait: callers that a busy service puts off, and what comes about in its own time. */
import { setTimeout as pause } from 'node:timers/promises';

const TRIES = 40;
const AGAIN_MS = 500;
const LOOK_MS = 20;
const SELDOM_MS = 150;
/** Longer than a consumer tries before it makes an event a dead letter; shorter than a test may take. */
const PATIENCE_MS = 60_000;

/** Whether a service said "not now" (503, 504), in a reply or in what an rpc throws. */
export const isPutOff = (told: unknown): boolean => [503, 504].includes((told as { status?: number })?.status ?? 0);

/** Whether a service was too busy: the chassis' `Unavailable`. Nothing has happened then, unless the database was lost. */
export const isTooBusy = ({ status, body }: { status: number; body?: { code?: string } }): boolean =>
  status === 503 && body?.code === 'unavailable';

/**
 * Asks again what was put off, as clients are told to, forty times at most.
 * @param call must be safe to repeat: with the same key each time, where it needs one
 * @param again what to ask again after
 * @returns what was told in the end, whatever it is
 */
export async function patiently<T>(call: () => Promise<T>, again: (told: T) => boolean = isPutOff): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      const told = await call();
      if (tried === TRIES || !again(told)) return told;
    } catch (error) {
      if (tried === TRIES || !isPutOff(error)) throw error;
    }
    await pause(AGAIN_MS * (0.5 + Math.random()));
  }
}

/** Sends the same call many times at once; who is put off asks again, as in `patiently`. */
export const together = <T>(
  times: number,
  call: (at: number) => Promise<T>,
  again?: (told: T) => boolean,
): Promise<T[]> => Promise.all(Array.from({ length: times }, (_, at) => patiently(() => call(at), again)));

/**
 * Tries an expectation until it holds. What is still wrong when the time is over is thrown as it is.
 * @returns what the expectation returned
 */
export async function eventually<T>(expectation: () => Promise<T> | T, within_ms = PATIENCE_MS): Promise<T> {
  const began = performance.now();
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      const waited_ms = performance.now() - began;
      if (waited_ms > within_ms) throw error;
      // Looking costs those who are waited for: the longer it takes, the less often.
      await pause(Math.min(LOOK_MS + waited_ms / 10, SELDOM_MS));
    }
  }
}

/** Waits until something is the case. @throws an Error that says what was waited for */
export const until = (what: string, holds: () => Promise<boolean> | boolean, within_ms?: number): Promise<void> =>
  eventually(async () => {
    if (!(await holds())) throw new Error(`Waited in vain until ${what}.`);
  }, within_ms);
