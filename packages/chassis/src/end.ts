import type { Log } from './log.ts';

const STOP_MS = 25_000;

/** Ends this process in order on SIGTERM and SIGINT, and at once, but said so, when something escaped all handling. */
export function endWith(stop: () => Promise<void>, log: Log): void {
  const end = (code: number) => {
    setTimeout(() => process.exit(1), code ? 5_000 : STOP_MS).unref();
    stop().then(
      () => process.exit(code),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', () => end(0));
  process.once('SIGINT', () => end(0));
  for (const escaped of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(escaped, (error: unknown) => {
      log.fatal({ err: error }, escaped);
      end(1);
    });
  }
}
