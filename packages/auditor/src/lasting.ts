/** Differences that last. Two snapshots are never taken at the same time, so work in progress looks like a difference. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Databases } from './snapshot.ts';

const BETWEEN_LOOKS_MS = 1_000;
const LOOKS = 5;

/** Returns the keys whose records have events that the other service is about to process. */
export type FindKeysInFlight = (databases: Databases, keys: readonly string[]) => Promise<ReadonlySet<string>>;

/** Looks for differences several times, and returns the differences that each look has found, by their key. */
export async function lasting<T>(find: () => Promise<ReadonlyMap<string, T>>): Promise<T[]> {
  let found = await find();
  for (let look = 1; look < LOOKS && found.size > 0; look += 1) {
    await pause(BETWEEN_LOOKS_MS);
    const now = await find();
    found = new Map([...found].filter(([key]) => now.has(key)));
  }
  return [...found.values()];
}

/**
 * Looks for differences twice, and returns the differences that both looks have found and that no event in flight explains.
 * The events are read between the looks: an event that is processed by then has taken effect before the second look.
 * @param keyOf returns the key that `keysInFlight` knows
 */
export async function lastingWithoutEvents<T>(
  databases: Databases,
  find: () => Promise<ReadonlyMap<string, T>>,
  keyOf: (difference: T) => string,
  keysInFlight?: FindKeysInFlight,
): Promise<T[]> {
  const first = await find();
  if (first.size === 0) return [];
  await pause(BETWEEN_LOOKS_MS);
  const inFlight = await keysInFlight?.(databases, [...first.values()].map(keyOf));
  const second = await find();
  return [...second].flatMap(([id, one]) => (first.has(id) && !inFlight?.has(keyOf(one)) ? [one] : []));
}
