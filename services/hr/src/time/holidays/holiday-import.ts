/** Reads iCalendar files in worker threads, because some recurrence rules make the library search endlessly. */
import { type ExceededLimit, openWorkers } from '@suite/bounded-work';
import type { Fault } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { UnreadableCalendar } from './holiday.rules.ts';
import type { HolidayReading } from './holiday-reading.ts';

/** Chosen: recurring events are imported for this year and the next two. A later import adds the years since then. */
const YEARS_AHEAD = 2;

const workers = openWorkers<typeof import('./holiday-reading.ts')>(new URL('./holiday-reading.ts', import.meta.url), {
  refuse: (reason: ExceededLimit): Fault => UnreadableCalendar({ reason }),
  memory_mb: 128,
  // The largest ordinary file, 1 MiB of events, takes a tenth of this time.
  work_ms: () => 600,
});

/**
 * Reads the holidays of a file, within limits of processor time and memory.
 * @throws UnreadableCalendar
 */
export function readHolidays(workspace_id: string, text: string): Promise<HolidayReading> {
  const year = clock.now().getUTCFullYear();
  const years = { first: `${year}-01-01`, last: `${year + YEARS_AHEAD}-12-31` };
  return workers.call.readHolidayFile(workspace_id, text, years);
}
