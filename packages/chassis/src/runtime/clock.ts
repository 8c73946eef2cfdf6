import { LRUCache } from 'lru-cache';

/** The only source of the current time, so that tests can stop the clock. */
export const clock = {
  /** Current time. */
  now: (): Date => new Date(),
};

/** Cached formatters. Creating one costs a hundred times as much as formatting. */
const calendars = new LRUCache<string, Intl.DateTimeFormat>({
  max: 100,
  memoMethod: (timeZone) => new Intl.DateTimeFormat('en-CA', { timeZone }),
});

/** Returns the current calendar day (`YYYY-MM-DD`) in an IANA time zone. */
export const today = (zone: string): string => calendars.memo(zone).format(clock.now());
