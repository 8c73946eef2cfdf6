/**
 * Services whose documents finance posts and pays on request. No other service knows the amounts payable to their
 * employees.
 */
export const REQUESTING_SERVICES = ['hr'] as const;
