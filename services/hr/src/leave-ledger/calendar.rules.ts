/** Calendar days, `YYYY-MM-DD`: they compare as texts, and count in UTC, which has no hour too many or too few. */

const DAY_MS = 86_400_000;
const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;

/** The day so many days later, or earlier. */
export const plusDays = (day: string, days: number): string =>
  new Date((numberOf(day) + days) * DAY_MS).toISOString().slice(0, 10);

/** How many days there are from one day to another one, which is not counted. */
export const daysBetween = (from: string, until: string): number => numberOf(until) - numberOf(from);

export const yearOf = (day: string): number => Number(day.slice(0, 4));
export const firstOf = (year: number): string => `${String(year).padStart(4, '0')}-01-01`;
export const lastOf = (year: number): string => `${String(year).padStart(4, '0')}-12-31`;

/** The first of the next month. */
export const nextMonth = (day: string): string => plusDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7) + '-01';

export const earlier = (one: string, other: string): string => (one < other ? one : other);
export const later = (one: string, other: string): string => (one > other ? one : other);
