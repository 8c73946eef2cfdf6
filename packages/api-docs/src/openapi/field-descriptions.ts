/** Descriptions of fields by name: one name has one meaning everywhere, so it is described once, in `fields.txt`. */
import type { Json } from '../schemas.ts';
import { ownerOfField } from './owner-of-field.ts';

/**
 * Returns the descriptions of a text with lines such as `name: description`. `Schema.name` applies to one schema or
 * operation, `parent.name` to the parts of a field, `name(a|b)` to fields with exactly these values, and `name[]` to
 * lists. `{owner}` in a description is replaced by the record that contains the field.
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

/** A field, with the schema or operation that contains it, and the field whose value it is a part of. */
interface Place {
  context: string;
  parent: string;
}

type Visit = (place: Place, name: string, field: Json) => void;

/** Visits the fields of a schema. */
function visitWithin(schema: unknown, place: Place, visit: Visit) {
  if (typeof schema !== 'object' || schema === null) return;
  if (Array.isArray(schema)) return schema.forEach((part) => visitWithin(part, place, visit));
  const { properties, ...others } = schema as { properties?: Record<string, Json> };
  for (const [name, field] of Object.entries(properties ?? {})) {
    visit(place, name, field);
    visitWithin(field, { ...place, parent: name }, visit);
  }
  for (const [key, part] of Object.entries(others)) {
    if (key !== 'example' && key !== 'examples') visitWithin(part, place, visit);
  }
}

/** True for descriptions that only add to the meaning of a field, such as its default. */
const isAddition = (text: string): boolean =>
  /^(?:A change awaits|Defaults to|False|Given|In|Required|Requires|Returned if|Writable|`false`|`null` for) /.test(
    text,
  );

/** Returns the description of a field in its own schema: of the field, or of its value that is not null. */
function ownDescription({ description, anyOf = [] }: Json & { description?: string; anyOf?: Json[] }): string {
  const parts = (anyOf as { description?: string }[]).flatMap((part) => part.description ?? []);
  return description ?? (parts.length === 1 ? parts[0]! : '');
}

const isList = ({ type, anyOf = [] }: Json & { anyOf?: Json[] }): boolean =>
  type === 'array' || anyOf.some((part) => part['type'] === 'array');

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

/** Returns the keys of descriptions that fit a field, the most specific first. */
const keysOf = ({ context, parent }: Place, name: string, field: Json): string[] => [
  ...(parent ? [`${context}.${parent}.${name}`] : []),
  `${context}.${name}`,
  ...(parent ? [`${parent}.${name}`] : []),
  withValues(name, field),
  ...(isList(field) ? [`${name}[]`] : []),
  name,
];

/**
 * Adds a description to each field that has none, and completes descriptions that only state a default or condition.
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
    visitWithin(schema, { context: part, parent: '' }, (place, name, field) => {
      if (typeof field !== 'object') return;
      const own = ownDescription(field);
      if (own && !isAddition(own)) return void (field['description'] = own);
      const key = keysOf(place, name, field).find((candidate) => descriptions.has(candidate));
      if (key === undefined) return void missing.add(`${place.context}.${name}`);
      unused.delete(key);
      const owner = ownerOfField(place.context, place.parent);
      const text = descriptions.get(key)!.replaceAll('{owner}', () => owner);
      field['description'] = [text, own].filter(Boolean).join(' ');
    });
  }
  return { document: described, missing: [...missing], unused: [...unused] };
}
