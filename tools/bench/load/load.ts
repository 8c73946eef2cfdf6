/** Load from a separate process: the suite's logs and the bench's reads must not slow the measuring clock. */
import { type ChildProcess, startChildProcess } from './child-process.ts';
import { perRequest, type ProcessorTime, processorTime } from './processor-time.ts';

/** A request that is sent repeatedly. */
export interface RequestSample {
  url: string;
  method?: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  connections: number;
  /** Paths that replace the path of the URL. Each is requested once, by the next free connection. */
  paths?: readonly string[];
  /** The differences between the requests. A free connection uses the next entry and starts over at the end. */
  turns?: readonly { headers?: Record<string, string>; body?: string }[];
}

/** The result. */
export interface FiredRequests {
  per_second: number;
  median_ms: number;
  /** Number of paths used. */
  used: number;
  /** The processor time of a request, in µs, by program. */
  cpu_us?: ProcessorTime;
}

/** The result of sending more requests than the suite can serve. */
export interface FloodResult {
  /** Successful answers per second. */
  per_second: number;
  /** Number of rejected requests, and the 99th percentile of their response time. */
  refused: number;
  refused_p99_ms: number;
  failures: string | null;
}

/** The response of the load process. */
export type Report = FiredRequests & { answered: number; failures: string | null };

export interface Load {
  /** Uses all connections for some seconds. @throws if a single request fails, because errors do not count as speed */
  fire(shot: RequestSample, seconds: number): Promise<FiredRequests>;
  /**
   * Sends at a fixed rate, regardless of the answers. @throws if an answer is neither a success nor an expected
   * rejection
   */
  flood(shot: RequestSample, rate: { per_second: number; seconds: number }): Promise<FloodResult>;
  stop(): void;
}

/** Starts the load process. */
export async function startLoad(): Promise<Load> {
  const child: ChildProcess = await startChildProcess(new URL('./load-process.ts', import.meta.url), {});
  return {
    async fire(shot, seconds) {
      const before = processorTime();
      const { failures, answered, ...fired } = await child.ask<Report>({ shot, seconds });
      if (failures) throw new Error(`${shot.method ?? 'GET'} ${shot.url}: ${failures}`);
      return { ...fired, cpu_us: perRequest(before, processorTime(), answered) };
    },
    async flood(shot, { per_second, seconds }) {
      const flooded = await child.ask<FloodResult>({ shot, seconds, per_second });
      if (flooded.failures) throw new Error(`${shot.url}: ${flooded.failures}`);
      return flooded;
    },
    stop: child.stop,
  };
}
