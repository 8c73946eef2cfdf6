/** The services whose documents finance books and pays when it is asked to: what they owe people is known to nobody else. */
export const ASKERS = ['hr'] as const;
