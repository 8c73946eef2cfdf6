/** Brackets: each part of a base has the rate of the bracket that it lies in. */
import type { Slab } from './component.ts';
import { type Rational, rational, written } from '../arithmetic/rational.ts';

/**
 * The amount of slabs over a base, as a line of arithmetic: `(30000 - 12000) * 20 / 100 + …`.
 * Brackets without a rate are left out; of a base in none it is `0`.
 */
export function slabText(slabs: readonly Slab[], base: Rational): string {
  const parts = slabs.flatMap(({ from, to, rate }) => {
    const [start, percent] = [rational(from), rational(rate)];
    if (base.lte(start) || percent.equals(0)) return [];
    const end = to === undefined || to === null || base.lt(rational(to)) ? base : rational(to);
    const width = start.equals(0) ? written(end) : `(${written(end)} - ${written(start)})`;
    return [`${width} * ${written(percent)} / 100`];
  });
  return parts.join(' + ') || '0';
}

/** Why slabs are none: the bracket that is wrong and the reason. Undefined when all is well. */
export function slabFault(slabs: readonly Slab[]): { at: number; message: string } | undefined {
  for (const [at, { from, to }] of slabs.entries()) {
    if (to !== undefined && to !== null && rational(to).lte(rational(from)))
      return { at, message: 'A bracket ends above its beginning.' };
    const next = slabs[at + 1];
    if (!next) continue;
    if (to === undefined || to === null) return { at, message: 'Only the last bracket can be without an upper limit.' };
    if (!rational(next.from).equals(rational(to)))
      return { at: at + 1, message: 'A bracket begins where the one before it ends.' };
  }
  return undefined;
}
