import { type DeclaredOperations, type Operation, operationsOf } from '@suite/chassis/declarations';
import { documentId } from '../operation-id.ts';
import type { Json } from '../schemas.ts';
import { wordsOf } from './owner-of-field.ts';

/** Operation with additional content for the document. */
export interface DescribedOperation {
  /** Its id in the code. */
  name: string;
  /** Its id in the document. */
  id: string;
  tag: string;
  /** The service that answers it. */
  service: string;
  operation: Operation;
}

/** Returns the title of a resource: `leadTasks` → `Lead tasks`, `customersV1` → `Customers (version 1)`. */
function titleOf(noun: string): string {
  const words = wordsOf(noun.replace(/V1$/, ' (version 1)'));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The operations of the services under their ids in the document. @throws when two have the same */
export function describeOperations(services: readonly DeclaredOperations[]): DescribedOperation[] {
  const found = new Map<string, DescribedOperation>();
  for (const service of services) {
    for (const [name, operation] of operationsOf(service)) {
      const id = documentId(name);
      if (found.has(id)) throw new Error(`Two operations have the id ${id}.`);
      found.set(id, { name, id, tag: titleOf(String(id.split('.')[0])), service: service.name, operation });
    }
  }
  return [...found.values()];
}

/**
 * The tags of the document and their groups.
 * @param resources what each resource is, by its name in the code: the first sentences of its `.api.ts`
 * @param groups what the part of each service is called, by its name
 */
export function tagsOf(
  described: readonly DescribedOperation[],
  resources: ReadonlyMap<string, string>,
  groups: ReadonlyMap<string, string>,
): Json {
  const tags = new Map<string, { service: string; description: string }>();
  for (const { id, name, tag, service } of described) {
    const [description = ''] = [id, name].flatMap((called) => resources.get(String(called.split('.')[0])) ?? []);
    if (!tags.has(tag)) tags.set(tag, { service, description });
  }
  const sorted = [...tags].toSorted(([a], [b]) => a.localeCompare(b));
  return {
    tags: sorted.map(([name, { description }]) => ({ name, description })),
    'x-tagGroups': Object.entries(Object.groupBy(sorted, ([, { service }]) => service)).map(([service, of = []]) => ({
      name: groups.get(service) ?? service,
      tags: of.map(([name]) => name),
    })),
  };
}
