/** A worker thread. Calls the functions of one module for its parent, one call at a time. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Call, CallFailure, CallOutcome } from './workers.ts';

/** A hostile input occupies its thread for up to a second. Requests of other workspaces get the processor first. */
const LESS_THAN_REQUESTS = 5;

// On Linux this is the priority of the calling thread. Elsewhere it would be the priority of the whole process.
if (process.platform === 'linux') setPriority(LESS_THAN_REQUESTS);

const functions = (await import(workerData as string)) as Record<string, (...values: unknown[]) => unknown>;

/** Returns the parts of an error that can be passed to another thread. The class is lost. */
function plain(error: unknown): CallOutcome {
  const failed = error instanceof Error ? error : new Error(String(error));
  const { name, message, stack } = failed;
  const { status, code, details, errors } = failed as Partial<CallFailure>;
  return { failed: { name, message, stack, status, code, details, errors } };
}

parentPort!.on('message', ({ name, values }: Call) => {
  const called = Promise.resolve().then(() => functions[name]!(...values));
  called.then(
    (value) => parentPort!.postMessage({ value }),
    (error: unknown) => parentPort!.postMessage(plain(error)),
  );
});
parentPort!.postMessage({ value: 'ready' });
