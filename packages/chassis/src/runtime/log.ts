import pino from 'pino';

export type Log = pino.Logger;

/** Limits for buffered log lines. One system call per line costs a busy process a tenth of its time. */
const TOGETHER = { bytes: 8_192, within_ms: 50 };

/** Opens standard output, which is flushed when the process ends. */
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
