/** Calendar days as `YYYY-MM-DD`, which can be compared as text. Calculations use UTC, where every day has 24 hours. */

const DAY_MS = 86_400_000;
const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;

/** Returns the day a number of days later, or earlier if negative. */
export const plusDays = (day: string, days: number): string =>
  new Date((numberOf(day) + days) * DAY_MS).toISOString().slice(0, 10);

/** Returns the number of days from one day to another, exclusive. */
export const daysBetween = (from: string, until: string): number => numberOf(until) - numberOf(from);

export const yearOf = (day: string): number => Number(day.slice(0, 4));
export const firstOf = (year: number): string => `${String(year).padStart(4, '0')}-01-01`;
export const lastDayOfYear = (year: number): string => `${String(year).padStart(4, '0')}-12-31`;

/** Returns the first day of the next month. */
export const nextMonth = (day: string): string => plusDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7) + '-01';

export const earlierOf = (one: string, other: string): string => (one < other ? one : other);
export const laterOf = (one: string, other: string): string => (one > other ? one : other);
