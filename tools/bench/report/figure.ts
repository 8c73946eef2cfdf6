/** Metrics compare with a baseline of the same run, since machines differ and have bad minutes. */
import type { FiredRequests } from '../load/load.ts';
import { median } from '../load/median.ts';
import type { ProcessorTime } from '../load/processor-time.ts';

/** The target of a metric. */
export type Target = { at_least: number } | { at_most: number };

/** A metric for the results page. */
export interface Figure {
  figure: string;
  /** The name of the metric, in the words of the README's table. */
  title: string;
  value: number;
  unit: '×' | 's' | 'ms' | 'MiB' | '';
  target: Target;
  /** All rounds of the measured side and of the baseline. */
  rounds: { measured: number[]; baseline: number[] };
  /** The processor time per request of each side, in µs, by program. Present only where requests are counted. */
  cpu_us?: { measured: ProcessorTime; baseline: ProcessorTime };
}

/** Number and length of the rounds of each side. */
const ROUNDS = 5;
const ROUND_S = 3;
const WARM_UP_S = 2;

/** The pace of a run that only shows that everything works. Its results have no meaning. */
const SHORT = { rounds: 1, seconds: 1, warm_up_s: 0.5 };
let isShort = false;

/** Switches to short measurements: each side is measured once and briefly. */
export function measureShortly(): void {
  isShort = true;
}

export const isMet = ({ value, target }: Figure): boolean =>
  'at_least' in target ? value >= target.at_least : value <= target.at_most;

/**
 * Runs the sides in rotation, in short rounds, so that other work of the machine affects all of the sides equally.
 * Returns the rounds of each side.
 */
export async function alternate(
  sides: ReadonlyArray<(seconds: number) => Promise<FiredRequests>>,
  pace: { rounds?: number; seconds?: number; warm_up_s?: number } = {},
): Promise<FiredRequests[][]> {
  const { rounds = ROUNDS, seconds = ROUND_S, warm_up_s = WARM_UP_S } = isShort ? SHORT : pace;
  for (const side of sides) await side(warm_up_s);
  const found: FiredRequests[][] = sides.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const order = [...sides.keys()];
    // The order alternates, so that no side always goes first.
    for (const at of round % 2 ? order.toReversed() : order) found[at]!.push(await sides[at]!(seconds));
  }
  return found;
}

/** Returns the throughput of one side relative to the other: the median over pairs of adjacent rounds. */
function throughputRatio(measured: readonly FiredRequests[], baseline: readonly FiredRequests[]): number {
  return median(measured.map(({ per_second }, round) => per_second / baseline[round]!.per_second));
}

const rates = (rounds: readonly FiredRequests[]): number[] => rounds.map(({ per_second }) => Math.round(per_second));

/** Idle time: a program uses less than this while it waits. */
const IDLE_US = 20;

/** Returns the processor time of a request: the median of the rounds, for each program involved. */
function timesOf(rounds: readonly FiredRequests[]): ProcessorTime {
  const names = new Set(rounds.flatMap(({ cpu_us = {} }) => Object.keys(cpu_us)));
  const times = [...names].map((name) => [name, Math.round(median(rounds.map(({ cpu_us }) => cpu_us?.[name] ?? 0)))]);
  return Object.fromEntries(times.filter(([, taken]) => Number(taken) >= IDLE_US));
}

/** Returns the rounds of both sides for the report: requests per second, and processor time per request. */
const roundsForReport = (measured: readonly FiredRequests[], baseline: readonly FiredRequests[]) => ({
  rounds: { measured: rates(measured), baseline: rates(baseline) },
  cpu_us: { measured: timesOf(measured), baseline: timesOf(baseline) },
});

type Measured = Pick<Figure, 'figure' | 'title' | 'target'>;

/** Returns the throughput of a side, relative to another. */
export const throughput = (
  about: Measured,
  measured: readonly FiredRequests[],
  baseline: readonly FiredRequests[],
): Figure => ({
  ...about,
  value: throughputRatio(measured, baseline),
  unit: '×',
  ...roundsForReport(measured, baseline),
});

/** Returns the cost of a request of a side, relative to another. */
export const cost = (
  { at_most, ...about }: Omit<Measured, 'target'> & { at_most: number },
  measured: readonly FiredRequests[],
  baseline: readonly FiredRequests[],
): Figure => ({
  ...throughput({ ...about, target: { at_most } }, measured, baseline),
  value: throughputRatio(baseline, measured),
});
