/** A calendar day in the form that Prisma takes for a `date` column. */
export const midnight = <Day extends string | null | undefined>(day: Day): Day =>
  (typeof day === 'string' ? `${day}T00:00:00Z` : day) as Day;
