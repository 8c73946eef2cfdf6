/** The one place where time comes from, so that tests can hold it still. */
export const clock = {
  /** The current instant. */
  now: (): Date => new Date(),
};

/** The calendar day (`YYYY-MM-DD`) that it is now in an IANA zone. */
export function today(zone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(clock.now());
}
