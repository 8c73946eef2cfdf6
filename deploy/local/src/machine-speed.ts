import { pbkdf2Sync } from 'node:crypto';

/** A fixed amount of work, and the time that it takes on the usual machine. */
const ROUNDS = 200_000;
const USUAL_MS = 60;
const LARGEST = 100;

/**
 * Returns the factor for all deadlines on a machine, given the time that the fixed work took. A machine that is at least
 * half as fast as the usual one needs none. A slower one shares its processors among all processes of the suite, so its
 * deadlines grow twice as much.
 */
export function deadlineFactor(taken_ms: number): number {
  const ratio = taken_ms / USUAL_MS;
  return ratio < 2 ? 1 : Math.min(Math.ceil(2 * ratio), LARGEST);
}

/** Does the fixed work and returns the time that it took, in milliseconds. Includes the time for other processes. */
export function measureMachine(): number {
  const began = performance.now();
  pbkdf2Sync('password', 'salt', ROUNDS, 32, 'sha256');
  return performance.now() - began;
}
