/** Descriptions of parameters that have none in their schema, from `parameters.txt`. */
import type { Json } from '../schemas.ts';

interface Described {
  operationId?: string;
  parameters?: Json[];
}

/** Returns the keys of descriptions that fit a parameter, the most specific first. */
const keysOf = (operation: string, name: string): string[] => [
  `${operation}.${name}`,
  `${operation.split('.')[0]}.${name}`,
  name,
];

/**
 * Adds a description to each parameter that has none. A line for one operation also replaces a generated description.
 * @returns a copy of the document, the parameters that no description fits, and the descriptions that none used
 */
export function describeParameters(
  document: Json,
  descriptions: ReadonlyMap<string, string>,
): { document: Json; missing: string[]; unused: string[] } {
  const described = JSON.parse(JSON.stringify(document)) as Json;
  const missing: string[] = [];
  const unused = new Set(descriptions.keys());
  const paths = described['paths'] as Record<string, Record<string, Described>>;
  for (const { operationId = '', parameters = [] } of Object.values(paths).flatMap((methods) =>
    Object.values(methods),
  )) {
    for (const parameter of parameters.filter(({ name }) => typeof name === 'string')) {
      const keys = keysOf(operationId, String(parameter['name']));
      const key = (parameter['description'] === undefined ? keys : keys.slice(0, 1)).find((one) =>
        descriptions.has(one),
      );
      if (key !== undefined) {
        unused.delete(key);
        parameter['description'] = descriptions.get(key)!;
      } else if (parameter['description'] === undefined) {
        missing.push(`${operationId}.${String(parameter['name'])}`);
      }
    }
  }
  return { document: described, missing, unused: [...unused] };
}
