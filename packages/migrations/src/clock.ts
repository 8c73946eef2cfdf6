/** The one place where this package gets the time from: the name of a new migration begins with it. */
export const clock = {
  /** The current instant. */
  now: (): Date => new Date(),
};
