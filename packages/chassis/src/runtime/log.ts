import pino from 'pino';

export type Log = pino.Logger;

/** Lines are written together: one system call for each costs a busy process a tenth of its time. */
const TOGETHER = { bytes: 8_192, within_ms: 50 };

/** Standard output, where what is left is written when the process ends. */
function openOutput(): pino.DestinationStream {
  const output = pino.destination({ dest: 1, minLength: TOGETHER.bytes, sync: false });
  let flushing: NodeJS.Timeout | undefined;
  const flush = () => {
    flushing = undefined;
    output.flush();
  };
  return {
    write(line) {
      output.write(line);
      flushing ??= setTimeout(flush, TOGETHER.within_ms).unref();
    },
  };
}

/** A JSON log on stdout that never holds a secret: what is not on the list of a serializer is not written. */
export function openLog(process_name: string, level: string): Log {
  const options = {
    name: process_name,
    level,
    base: { process: process_name },
    redact: ['*.password', '*.authorization', '*.token', '*.refresh_token', '*.access_token', '*.secret'],
  };
  return level === 'silent' ? pino(options) : pino(options, openOutput());
}
