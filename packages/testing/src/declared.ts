/** The declarations of all services, for the API docs and for tests that cover all services. */
import type { Service } from '@suite/chassis/declarations';
import { services } from '@suite/local/processes';

const importService = async (name: string): Promise<Service> => {
  const module = (await import(`@suite/${name}`)) as Record<string, Service>;
  const service = module[name];
  if (!service) throw new Error(`services/${name}/src/${name}.ts does not export "${name}".`);
  return service;
};

/**
 * The services, in the order of the table. Loaded one after another, so that generated documents have a stable order.
 */
export const declaredServices: Service[] = [];
for (const { name } of services) declaredServices.push(await importService(name));
