/** A calendar day in the form that Prisma takes for a `date` column. */
export const midnight = (day: string): string => `${day}T00:00:00Z`;
