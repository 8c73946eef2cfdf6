/** Brackets: each part of a base has the rate of its bracket. */
import type { Slab } from './component.ts';
import { type Rational, rational, formatNumber } from '../arithmetic/rational.ts';

/**
 * Returns the amount of slabs over a base as a line of arithmetic: `(30000 - 12000) * 20 / 100 + …`. Omits brackets
 * without a rate. Returns `0` if no bracket applies.
 */
export function slabText(slabs: readonly Slab[], base: Rational): string {
  const parts = slabs.flatMap(({ from, to, rate }) => {
    const [start, percent] = [rational(from), rational(rate)];
    if (base.lte(start) || percent.equals(0)) return [];
    const end = to === undefined || to === null || base.lt(rational(to)) ? base : rational(to);
    const width = start.equals(0) ? formatNumber(end) : `(${formatNumber(end)} - ${formatNumber(start)})`;
    return [`${width} * ${formatNumber(percent)} / 100`];
  });
  return parts.join(' + ') || '0';
}

/** Returns the first invalid bracket and the reason. Returns undefined if all slabs are valid. */
export function slabFault(slabs: readonly Slab[]): { at: number; message: string } | undefined {
  for (const [at, { from, to }] of slabs.entries()) {
    if (to !== undefined && to !== null && rational(to).lte(rational(from)))
      return { at, message: 'The end of a bracket must be above its start.' };
    const next = slabs[at + 1];
    if (!next) continue;
    if (to === undefined || to === null) return { at, message: 'Only the last bracket can be without an upper limit.' };
    if (!rational(next.from).equals(rational(to)))
      return { at: at + 1, message: 'A bracket must start where the previous one ends.' };
  }
  return undefined;
}
