/** Clock of this package. The name of a new migration begins with the time. */
export const clock = {
  /** Current time. */
  now: (): Date => new Date(),
};
