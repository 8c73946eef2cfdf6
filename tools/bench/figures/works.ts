/** A comparison of one operation in the suite, through its gateway, and in the bare stack. */
import type { FiredRequests, Load } from '../load/load.ts';
import { type Figure, alternate, throughput } from '../report/figure.ts';
import { readJson } from '../fixture/ask.ts';
import type { BenchFixture } from '../fixture/fixture.ts';
import type { Request, Sides } from './sides.ts';

export const CONNECTIONS = 16;
/** Shorter rounds than elsewhere, because there are many operations. */
const TURNS = { seconds: 2, warm_up_s: 1.5 };

export type Side = (seconds: number) => Promise<FiredRequests>;

interface Workload {
  figure: string;
  /** The name of the operation, as in the README's table. */
  title: string;
  ours: Side;
  bare: Side;
  /** Required throughput, relative to the bare stack. */
  at_least: number;
  /** Further sides that are measured in the same rounds, for more comparisons. */
  further?: Side[];
}

/** Repeats the same request on 16 connections. */
export const repeatRequest =
  (load: Load, request: () => Request | Promise<Request>): Side =>
  async (seconds) =>
    await load.fire({ ...(await request()), connections: CONNECTIONS }, seconds);

/**
 * Measures a piece of work against the bare stack, all sides in rotation. Returns its metric, and the rounds of the suite
 * and of the further sides.
 */
export async function measure({ figure, title, ours, bare, at_least, further = [] }: Workload) {
  const [measured = [], baseline = [], ...others] = await alternate([ours, bare, ...further], TURNS);
  const whole = `Throughput of ${title} through the gateway, against the bare stack (express + Prisma)`;
  const against = throughput({ figure, title: whole, target: { at_least } }, measured, baseline);
  return { figure: against, ours: measured, further: others };
}

/** An operation of the suite, and the same operation of the bare stack. */
interface Operation {
  figure: string;
  title: string;
  path: string;
  bare: string;
  body?: object;
  bareBody?: object;
  at_least?: number;
}

/** Measures one request against the bare stack. Checks first that both programs accept it. */
export async function compare({ load }: BenchFixture, sides: Sides, operation: Operation): Promise<Figure> {
  const { figure, title, path, bare, body, bareBody = body, at_least = 0.45 } = operation;
  const ours = () => sides.ours(path, body);
  const plain = sides.bare(bare, bareBody);
  for (const request of [await ours(), plain]) await readJson(request.url, request);
  const sidesOfWork = { ours: repeatRequest(load, ours), bare: repeatRequest(load, () => plain) };
  return (await measure({ figure, title, at_least, ...sidesOfWork })).figure;
}
