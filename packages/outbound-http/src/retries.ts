/** Retry times, and the pause for a server that keeps failing. Nothing here waits: a schedule does. */
import type { IncomingHttpHeaders } from 'node:http';

const WAITS_S = [1, 5, 25];
const JITTER = 0.2;
const LONGEST_S = 3_600;
const FAILURES = 5;
const OPEN_S = 60;

/** Returns true if a server indicates that the same call may succeed later. */
export const isTransient = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** Returns the seconds of the server's `Retry-After` header, at most an hour. */
export function retryAfterOf(headers: IncomingHttpHeaders, now: Date): number | undefined {
  const said = headers['retry-after']?.trim();
  if (!said) return undefined;
  const seconds = /^\d+$/.test(said) ? Number(said) : (Date.parse(said) - now.getTime()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), LONGEST_S);
}

/**
 * Returns the seconds until the next attempt: 1, 5 and 25 after the first, second and third, ±20 %.
 * @param attempts the number of previous attempts
 * @param retry_after_s the delay that the server requests, if any
 * @param random from 0 to 1
 * @returns undefined after the last attempt
 */
export function retryDelay(
  attempts: number,
  { retry_after_s = 0, random = Math.random() }: { retry_after_s?: number | undefined; random?: number } = {},
): number | undefined {
  const wait = WAITS_S[attempts - 1];
  if (wait === undefined) return undefined;
  return Math.max(wait * (1 + JITTER * (2 * random - 1)), Math.min(retry_after_s, LONGEST_S));
}

/**
 * Returns the seconds for which a server is not called after this many consecutive failures. Undefined if calls
 * continue.
 */
export const pauseAfter = (failures: number): number | undefined => (failures >= FAILURES ? OPEN_S : undefined);
