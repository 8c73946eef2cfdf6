import type { Databases } from '@suite/auditor';

/** Returns the variable with the address of a service's database. */
export const variableOf = (service: string): string => `DATABASE_URL_${service.toUpperCase()}`;

/**
 * Returns the databases of the services, from variables such as DATABASE_URL_CRM.
 * @throws an Error of one sentence with the missing variables
 */
export function databasesFrom(
  services: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): Databases {
  const missing = services.map(variableOf).filter((variable) => !variables[variable]);
  if (missing.length > 0)
    throw new Error(`Start the suite first, or set the database addresses: ${missing.join(', ')}.`);
  return Object.fromEntries(services.map((service) => [service, String(variables[variableOf(service)])]));
}
