import pino from 'pino';
import { deadline } from './config.ts';

export type Log = pino.Logger;

/** Limits for buffered log lines. One system call per line costs a busy process a tenth of its time. */
const BUFFER_LIMITS = { bytes: 8_192, within_ms: 50 };

/** Opens standard output, which is flushed when the process ends. */
function openOutput(): pino.DestinationStream {
  const output = pino.destination({ dest: 1, minLength: BUFFER_LIMITS.bytes, sync: false });
  let flushing: NodeJS.Timeout | undefined;
  const flush = () => {
    flushing = undefined;
    output.flush();
  };
  return {
    write(line) {
      output.write(line);
      flushing ??= setTimeout(flush, BUFFER_LIMITS.within_ms).unref();
    },
  };
}

/** Opens a JSON log on stdout. It never contains secrets, because serializers write only listed fields. */
export function openLog(process_name: string, level: string): Log {
  const options = {
    name: process_name,
    level,
    base: { process: process_name },
    redact: ['*.password', '*.authorization', '*.token', '*.refresh_token', '*.access_token', '*.secret'],
  };
  return level === 'silent' ? pino(options) : pino(options, openOutput());
}

/**
 * Time before an outage is reported. Processes that start together are not all ready immediately, and a short outage ends
 * without an operator.
 */
const QUIET_OUTAGE_MS = deadline(15_000);

/**
 * Logs the failures of work that is repeated until it succeeds: the first one, and one for each time that an outage must
 * last. Only the later ones are warnings.
 */
export class OutageLog {
  readonly #quiet_ms: number;
  #logged_at: number | undefined;

  constructor(quiet_ms = QUIET_OUTAGE_MS) {
    this.#quiet_ms = quiet_ms;
  }

  /** Logs a failure with its error, unless the previous line is recent. */
  failed(log: Log, error: unknown, message: string, level: 'warn' | 'error' = 'warn'): void {
    const now = performance.now();
    const isFirst = this.#logged_at === undefined;
    if (!isFirst && now - this.#logged_at! < this.#quiet_ms) return;
    this.#logged_at = now;
    log[isFirst ? 'info' : level]({ err: error }, message);
  }

  /** Ends the outage, because the work has succeeded. */
  end(): void {
    this.#logged_at = undefined;
  }
}
