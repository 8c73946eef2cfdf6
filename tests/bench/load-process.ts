/** The process that makes the load, with autocannon. It is asked over its channel and answers one round at a time. */
import { createRequire } from 'node:module';
import { median } from './figure.ts';
import type { Report, Shot } from './load.ts';
import { serveParent } from './companion.ts';

interface Result {
  '2xx': number;
  non2xx: number;
  errors: number;
  timeouts: number;
  duration: number;
}

interface Tracker {
  on(event: 'response', listener: (client: object, status: number, bytes: number, ms: number) => void): void;
}

/** The part of autocannon that is used here; the package has no types of its own. */
type Autocannon = (options: object, done: (error: Error | null, result: Result) => void) => Tracker;

const autocannon = createRequire(import.meta.url)('autocannon') as Autocannon;

/** Its own histogram counts whole milliseconds, so the times are gathered here. */
async function fire(shot: Shot, seconds: number): Promise<Report> {
  const times: number[] = [];
  const result = await new Promise<Result>((resolve, reject) => {
    const running = autocannon({ ...shot, duration: seconds }, (error, found) =>
      error ? reject(error) : resolve(found),
    );
    running.on('response', (_client, _status, _bytes, ms) => times.push(ms));
  });
  const { non2xx, errors, timeouts } = result;
  const failures = non2xx + errors + timeouts;
  return {
    per_second: result['2xx'] / result.duration,
    median_ms: median(times),
    failures: failures ? `${non2xx} refused, ${errors} broken, ${timeouts} too late` : null,
  };
}

serveParent({}, ({ shot, seconds }: { shot: Shot; seconds: number }) => fire(shot, seconds));
