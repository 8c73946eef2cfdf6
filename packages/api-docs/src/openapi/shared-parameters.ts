/** Writes parameters that many operations share once, such as the time filters of lists. */
import type { Json } from '../schemas.ts';

/** Fewer occurrences are easier to read in place. */
const OFTEN = 4;

/** A name that a component may have: `updated_at[gte]` is `updated_at.gte`. */
const componentName = (name: string): string => name.replaceAll(/\[(\w+)\]/g, '.$1');

const operationsIn = (paths: Record<string, Json>): Json[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods) as Json[]);
const parametersIn = (operation: Json): Json[] => (operation['parameters'] ?? []) as Json[];

/**
 * Replaces query parameters that several operations share by references.
 * @returns the referenced components. If parameters share a name, the most frequent one becomes the component
 */
export function shareParameters(paths: Record<string, Json>): Json {
  const uses = new Map<string, number>();
  const alike = operationsIn(paths)
    .flatMap(parametersIn)
    .filter((parameter) => parameter['in'] === 'query');
  for (const text of alike.map((parameter) => JSON.stringify(parameter))) uses.set(text, (uses.get(text) ?? 0) + 1);
  const shared: Json = {};
  const references = new Map<string, Json>();
  for (const [text, count] of [...uses].toSorted(([, one], [, other]) => other - one)) {
    const parameter = JSON.parse(text) as Json;
    const name = componentName(String(parameter['name']));
    if (count < OFTEN || name in shared) continue;
    shared[name] = parameter;
    references.set(text, { $ref: `#/components/parameters/${name}` });
  }
  for (const operation of operationsIn(paths)) {
    const parameters = parametersIn(operation);
    if (parameters.length > 0)
      operation['parameters'] = parameters.map((parameter) => references.get(JSON.stringify(parameter)) ?? parameter);
  }
  return shared;
}
