/** Descriptions of fields by name: one name has one meaning everywhere, so it is described once, in `fields.txt`. */
import type { Json } from '../schemas.ts';

/**
 * The descriptions of a text with lines such as `name: description`. `Schema.name` applies to one schema or operation, and `name(a|b)` to
 * fields with exactly these values.
 */
export function readDescriptions(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]));
}

/** The name of a field with its allowed values, such as `kind(task|bug)`. */
function withValues(name: string, { enum: values, items, anyOf = [] }: Enumerated): string {
  const parts = [...(values ?? []), ...(items?.enum ?? []), ...anyOf.flatMap((part) => part.enum ?? [])];
  return `${name}(${parts.filter((value) => value !== null).join('|')})`;
}

interface Enumerated {
  enum?: unknown[];
  items?: { enum?: unknown[] };
  anyOf?: { enum?: unknown[] }[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** Describes the fields of a schema, whose name or operation is the context. */
function describeWithin(schema: unknown, context: string, visit: (context: string, name: string, field: Json) => void) {
  if (typeof schema !== 'object' || schema === null) return;
  if (Array.isArray(schema)) return schema.forEach((part) => describeWithin(part, context, visit));
  const { properties } = schema as { properties?: Record<string, Json> };
  for (const [name, field] of Object.entries(properties ?? {})) visit(context, name, field);
  for (const [key, part] of Object.entries(schema)) {
    if (key !== 'example' && key !== 'examples') describeWithin(part, context, visit);
  }
}

/** Each part of a document that contains schemas, with its context. */
function* partsOf(document: Json): Generator<[context: string, part: unknown]> {
  const { components, paths } = document as {
    components: { schemas: Record<string, Json>; responses?: Json };
    paths: Record<string, Record<string, { operationId: string; requestBody?: Json; responses?: Json }>>;
  };
  for (const [name, schema] of Object.entries(components.schemas)) yield [name, schema];
  yield ['responses', components.responses];
  for (const operations of Object.values(paths)) {
    for (const method of METHODS) {
      const operation = operations[method];
      if (operation) yield [operation.operationId, [operation.requestBody, operation.responses]];
    }
  }
}

/**
 * Adds a description to each field that has none.
 * @returns a copy of the document, the fields that no description fits, and the descriptions that no field used
 */
export function describeFields(
  document: Json,
  descriptions: ReadonlyMap<string, string>,
): { document: Json; missing: string[]; unused: string[] } {
  const described = JSON.parse(JSON.stringify(document)) as Json;
  const missing = new Set<string>();
  const unused = new Set(descriptions.keys());
  for (const [part, schema] of partsOf(described)) {
    describeWithin(schema, part, (context, name, field) => {
      if (typeof field !== 'object' || 'description' in field) return;
      const candidates = [`${context}.${name}`, withValues(name, field), name];
      const key = candidates.find((candidate) => descriptions.has(candidate));
      if (key === undefined) return missing.add(`${context}.${name}`);
      unused.delete(key);
      return (field['description'] = descriptions.get(key)!);
    });
  }
  return { document: described, missing: [...missing], unused: [...unused] };
}
