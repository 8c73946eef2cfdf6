/**
 * Sends three times as many requests as the suite can process. Measures the remaining throughput, and the time until
 * the rest is rejected.
 */
import { signIn } from './gateway.ts';
import { median } from '../load/median.ts';
import { type Figure } from '../report/figure.ts';
import type { FiredRequests, FloodResult } from '../load/load.ts';
import type { BenchFixture } from '../fixture/fixture.ts';

const LIST = '/api/leads?per_page=100&expand=owner,labels';
/** Enough to keep the machine busy, and too few to be rejected. */
const CONNECTIONS = 16;
const ROUNDS = 5;
const ROUND_S = 6;
const EXCESS = 3;

/**
 * Measures a flood from one caller of an expensive list. The load generator shares the machine, so it reduces the
 * results.
 */
export async function overload(fixture: BenchFixture): Promise<Figure[]> {
  const { authorization } = await signIn(fixture);
  const shot = { url: `${fixture.suite.url}${LIST}`, headers: { authorization }, connections: CONNECTIONS };
  const calm: FiredRequests[] = [];
  const flooded: FloodResult[] = [];
  const { per_second } = await fixture.load.fire(shot, ROUND_S);
  await fixture.load.flood(shot, { per_second: EXCESS * per_second, seconds: ROUND_S });
  for (let round = 0; round < ROUNDS; round += 1) {
    const sustained = await fixture.load.fire(shot, ROUND_S);
    calm.push(sustained);
    flooded.push(await fixture.load.flood(shot, { per_second: EXCESS * sustained.per_second, seconds: ROUND_S }));
  }
  const refused = flooded.map(({ refused_p99_ms }) => refused_p99_ms);
  const title = `A list of 100 leads through the gateway at ${EXCESS} times the maximum rate`;
  return [
    {
      figure: 'overload-goodput',
      title: `${title}: what is answered, against what is answered at most`,
      value: median(flooded.map(({ per_second }, round) => per_second / calm[round]!.per_second)),
      unit: '×',
      target: { at_least: 0.9 },
      rounds: {
        measured: flooded.map((each) => Math.round(each.per_second)),
        baseline: calm.map((each) => Math.round(each.per_second)),
      },
    },
    {
      figure: 'overload-refusals',
      title: `${title}: how long a refusal takes (p99)`,
      value: median(refused),
      unit: 'ms',
      target: { at_most: 50 },
      rounds: { measured: refused.map(Math.round), baseline: flooded.map(({ refused: count }) => count) },
    },
  ];
}
