/** The declarations of all services, for the documents and for tests that look at every service. */
import type { Service } from '@suite/chassis/declarations';
import { services } from '@suite/local/processes';

const declaredBy = async (name: string): Promise<Service> => {
  const module = (await import(`@suite/${name}`)) as Record<string, Service>;
  const service = module[name];
  if (!service) throw new Error(`services/${name}/src/${name}.ts exports no "${name}".`);
  return service;
};

/** The services, in the order of the table; loaded one after another, so that documents always say things in one order. */
export const declared: Service[] = [];
for (const { name } of services) declared.push(await declaredBy(name));
