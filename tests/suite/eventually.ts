import { setTimeout as pause } from 'node:timers/promises';

const STEP_MS = 20;

/** Waits until something is the case. @throws an Error that says what was waited for */
export async function until(what: string, holds: () => Promise<boolean>, within_ms = 15_000): Promise<void> {
  await eventually(async () => {
    if (!(await holds())) throw new Error(`It did not come about that ${what}.`);
  }, within_ms);
}

/**
 * Tries an expectation until it holds. What is still wrong when the time is over is thrown as it is.
 * @returns what the expectation returned
 */
export async function eventually<T>(expectation: () => Promise<T> | T, within_ms = 5_000): Promise<T> {
  const began = performance.now();
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (performance.now() - began > within_ms) throw error;
      await pause(STEP_MS);
    }
  }
}
