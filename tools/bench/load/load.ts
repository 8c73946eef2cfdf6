/** Load, made by a process of its own: what the suite logs, and the bench reads, must not slow the clock that measures. */
import { type ChildProcess, startChildProcess } from './child-process.ts';
import { perRequest, type ProcessorTime, processorTime } from './processor-time.ts';

/** A request that is sent again and again. */
export interface Shot {
  url: string;
  method?: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  connections: number;
  /** Instead of the one path of the URL: each of these is asked once, whoever is free takes the next. */
  paths?: readonly string[];
  /** The differences between the requests: a free connection takes the next of these, again and again. */
  turns?: readonly { headers?: Record<string, string>; body?: string }[];
}

/** The result. */
export interface Fired {
  per_second: number;
  median_ms: number;
  /** How many paths were taken. */
  used: number;
  /** The processor time of a request, in µs, by program. */
  cpu_us?: ProcessorTime;
}

/** The result of asking for more than can be answered. */
export interface Flooded {
  /** Answers that were what was asked for. */
  per_second: number;
  /** How many were told to come again later, and how long 99 of 100 of them waited to hear so. */
  refused: number;
  refused_p99_ms: number;
  failures: string | null;
}

/** The answer of the load process. */
export type Report = Fired & { answered: number; failures: string | null };

export interface Load {
  /** Keeps all connections busy for some seconds. @throws when a single request fails: errors are not speed */
  fire(shot: Shot, seconds: number): Promise<Fired>;
  /** Sends at a fixed rate, whatever becomes of it. @throws when an answer is neither a success nor a refusal */
  flood(shot: Shot, rate: { per_second: number; seconds: number }): Promise<Flooded>;
  stop(): void;
}

/** Starts the process that makes the load. */
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
      const flooded = await child.ask<Flooded>({ shot, seconds, per_second });
      if (flooded.failures) throw new Error(`${shot.url}: ${flooded.failures}`);
      return flooded;
    },
    stop: child.stop,
  };
}
