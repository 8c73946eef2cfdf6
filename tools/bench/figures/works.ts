/**
 * A comparison of one operation in the suite through its gateway, in the bare stack, and in a program that writes the
 * same rows.
 */
import type { Fired, Load } from '../load/load.ts';
import { type Figure, inTurns, throughputRatio, roundsForReport } from '../report/figure.ts';
import type { Request } from './sides.ts';

export const CONNECTIONS = 16;
/** Shorter rounds than elsewhere, because there are many operations with three sides each. */
const TURNS = { seconds: 2, warm_up_s: 1.5 };

export type Side = (seconds: number) => Promise<Fired>;

/** The baseline of a side, and the required speed ratio. */
interface Opponent {
  side: Side;
  at_least: number;
}

interface Work {
  figure: string;
  /** The name of the operation, as in the README's table. */
  title: string;
  ours: Side;
  bare: Opponent;
  byHand?: Opponent;
  /** Further sides that are measured in the same rounds, for more comparisons. */
  further?: Side[];
}

/** Repeats the same request on 16 connections. */
export const repeating =
  (load: Load, request: () => Request | Promise<Request>): Side =>
  async (seconds) =>
    await load.fire({ ...(await request()), connections: CONNECTIONS }, seconds);

const against = (work: Work, name: string, whom: string, at_least: number, sides: [Fired[], Fired[]]): Figure => ({
  figure: `${work.figure}-${name}`,
  title: `Throughput of ${work.title} through the gateway, against ${whom}`,
  value: throughputRatio(...sides),
  unit: '×',
  target: { at_least },
  ...roundsForReport(sides[0], sides[1]),
});

/**
 * Measures a piece of work, all sides in rotation. Returns its metrics, and the rounds of the suite and of the further
 * sides.
 */
export async function measure(work: Work): Promise<{ figures: Figure[]; ours: Fired[]; further: Fired[][] }> {
  const { bare, byHand, further = [] } = work;
  const sides = [work.ours, bare.side, ...further, ...(byHand ? [byHand.side] : [])];
  const rounds = await inTurns(sides, TURNS);
  const [ours = [], plain = []] = rounds;
  const figures = [against(work, 'bare', 'the bare stack (express + Prisma)', bare.at_least, [ours, plain])];
  if (byHand) {
    const whom = 'the same rows by hand (express + pg)';
    figures.push(against(work, 'by-hand', whom, byHand.at_least, [ours, rounds.at(-1) ?? []]));
  }
  return { figures, ours, further: rounds.slice(2, 2 + further.length) };
}
