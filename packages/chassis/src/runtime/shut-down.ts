import type { Log } from './log.ts';

const STOP_MS = 25_000;
const ESCAPED_MS = 5_000;

/** Stops this process in order on SIGTERM and SIGINT. Logs an unhandled error and stops immediately. */
export function shutDownWith(stop: () => Promise<void>, log: Log): void {
  let stopped: Promise<void> | undefined;
  const shutDown = (code: number) => {
    setTimeout(() => process.exit(1), code ? ESCAPED_MS : STOP_MS).unref();
    // A second signal, or an error during the shutdown, must not stop the process again.
    stopped ??= stop();
    stopped.then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ err: error }, 'Orderly shutdown failed; exiting');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => shutDown(0));
  process.on('SIGINT', () => shutDown(0));
  for (const escaped of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(escaped, (error: unknown) => {
      log.fatal({ err: error }, escaped);
      shutDown(1);
    });
  }
}
