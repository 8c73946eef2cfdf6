/** The process that generates the load, with autocannon. It accepts one round at a time over its channel. */
import { createRequire } from 'node:module';
import { median } from './median.ts';
import type { Report, RequestSample } from './load.ts';
import { serveParent } from './child-process.ts';
import { flood } from './flood.ts';

interface Result {
  '2xx': number;
  non2xx: number;
  errors: number;
  timeouts: number;
  statusCodeStats: Record<string, { count: number }>;
  duration: number;
}

interface Tracker {
  on(event: 'response', listener: (client: object, status: number, bytes: number, ms: number) => void): void;
}

/** The part of autocannon that this file uses. The package has no types. */
type Autocannon = (options: object, done: (error: Error | null, result: Result) => void) => Tracker;

const autocannon = createRequire(import.meta.url)('autocannon') as Autocannon;

/** Returns the requests of a shot: each path once, and the differences of the requests in rotation. */
function rotateRequests({ headers, paths = [], turns = [] }: RequestSample) {
  let used = 0;
  const requests = [
    {
      setupRequest(request: object) {
        const turn = turns[used % turns.length];
        used += 1;
        const path = paths[used - 1] ?? paths.at(-1);
        return {
          ...request,
          ...(path && { path }),
          ...(turn && { ...turn, headers: { ...headers, ...turn.headers } }),
        };
      },
    },
  ];
  return { requests, used: () => used, isOut: () => used > paths.length };
}

/** Collects the times here, because autocannon's histogram counts whole milliseconds. */
async function measureThroughput(shot: RequestSample, seconds: number): Promise<Report> {
  const times: number[] = [];
  const { paths, turns: differences, ...one } = shot;
  const turns = rotateRequests(shot);
  const options = { ...one, ...((paths ?? differences) && { requests: turns.requests }), duration: seconds };
  const result = await new Promise<Result>((resolve, reject) => {
    const running = autocannon(options, (error, found) => (error ? reject(error) : resolve(found)));
    running.on('response', (_client, _status, _bytes, ms) => times.push(ms));
  });
  const { non2xx, errors, timeouts } = result;
  const failures = non2xx + errors + timeouts;
  const statuses = Object.entries(result.statusCodeStats).map(([status, { count }]) => `${count} × ${status}`);
  const broken = failures ? `${errors} broken, ${timeouts} too late, answers: ${statuses.join(', ')}` : null;
  return {
    per_second: result['2xx'] / result.duration,
    median_ms: median(times),
    used: turns.used(),
    answered: result['2xx'],
    failures: paths && turns.isOut() ? `${paths.length} paths were too few` : broken,
  };
}

/** The order of the parent: a fixed rate, or the maximum rate of the given connections. */
interface Order {
  shot: RequestSample;
  seconds: number;
  per_second?: number;
}

serveParent({}, ({ shot, seconds, per_second }: Order) =>
  per_second === undefined ? measureThroughput(shot, seconds) : flood(shot, per_second, seconds),
);
