import { LRUCache } from 'lru-cache';

/** The one place where time comes from, so that tests can hold it still. */
export const clock = {
  /** The current instant. */
  now: (): Date => new Date(),
};

/** Making one costs a hundred times what formatting does. */
const calendars = new LRUCache<string, Intl.DateTimeFormat>({
  max: 100,
  memoMethod: (timeZone) => new Intl.DateTimeFormat('en-CA', { timeZone }),
});

/** The calendar day (`YYYY-MM-DD`) that it is now in an IANA zone. */
export const today = (zone: string): string => calendars.memo(zone).format(clock.now());
