/** Public API of the package: worker threads with limits, and the fair queue in front of the threads. */
export { openQueue, type QueueOptions } from './queue.ts';
export { type ExceededLimit, openWorkers, type WorkerCall, type Workers, type WorkerOptions } from './workers.ts';
