/**
 * Descriptions of fields, from `fields.txt`: by schema or operation, by the record that contains the field, or by name.
 * A field of a request that has no description of its own gets the one of the same field in the response.
 */
import type { Json } from '../schemas.ts';
import { ownerOfField } from './owner-of-field.ts';

/**
 * Returns the descriptions of a text with lines such as `name: description`. `Schema.name` applies to one schema or
 * operation, `parent.name` to the parts of a field, `leave type.name` to a noun of `owner-of-field.ts`, `name(a|b)` to
 * fields with exactly these values, `name[]` to lists, and `name+allowed_actions` to records with this field. `{owner}` in a description is replaced by the record that
 * contains the field.
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

type Schemas = Readonly<Record<string, Json>>;

/** The place of a field. */
interface Place {
  /** Name of the schema, or ID of the operation. */
  context: string;
  /** Field whose value contains the field, or nothing. */
  parent: string;
  /** Names of the fields of the same schema. */
  fields: readonly string[];
  /** In a request: schema with the same fields in the response. */
  response?: Json | undefined;
}

/** Returns the schema behind references, lists and alternatives to `null`. */
function objectOf(schema: Json | undefined, schemas: Schemas): Json | undefined {
  if (schema === undefined) return undefined;
  const { $ref: reference, items, anyOf = [] } = schema as { $ref?: string; items?: Json; anyOf?: Json[] };
  if (reference !== undefined) return objectOf(schemas[reference.split('/').at(-1)!], schemas);
  const alternatives = anyOf.filter(({ type }) => type !== 'null');
  const inner = items ?? (alternatives.length === 1 ? alternatives[0] : undefined);
  return inner ? objectOf(inner, schemas) : schema;
}

/** Returns the field of a name in a schema. */
const fieldOf = (schema: Json | undefined, name: string): Json | undefined =>
  (schema?.['properties'] as Record<string, Json> | undefined)?.[name];

/** Returns the schema of the record that an operation returns. */
function responseRecord({ responses = {} }: Operation, schemas: Schemas): Json | undefined {
  const response = (responses['200'] ?? responses['201']) as
    | { content?: Record<string, { schema?: Json }> }
    | undefined;
  return objectOf(fieldOf(response?.content?.['application/json']?.schema, 'data'), schemas);
}

const typesOf = ({ type, anyOf = [] }: Json & { anyOf?: Json[] }): unknown[] =>
  [type, ...anyOf.map((part) => part['type'])].flat().filter((one) => one !== undefined && one !== 'null');

/** Sentences of responses that do not apply to requests. */
const OF_RESPONSES = / ?(?:`null` for users who|To change it, use an action) [^.]*\./g;

/** Returns the description of a field of a request in the response, if both have the same type. */
function responseDescription({ response }: Place, name: string, field: Json): string | undefined {
  const same = fieldOf(response, name);
  if (!same || String(typesOf(same)) !== String(typesOf(field))) return undefined;
  return String(same['description']).replaceAll(OF_RESPONSES, '') || undefined;
}

type Visit = (place: Place, name: string, field: Json) => void;

/** Visits the fields of a schema. */
function visitWithin(schema: unknown, place: Place, schemas: Schemas, visit: Visit) {
  if (typeof schema !== 'object' || schema === null) return;
  if (Array.isArray(schema)) return schema.forEach((part) => visitWithin(part, place, schemas, visit));
  const { properties, ...others } = schema as { properties?: Record<string, Json> };
  const fields = Object.keys(properties ?? {});
  for (const [name, field] of Object.entries(properties ?? {})) {
    visit({ ...place, fields }, name, field);
    const response = objectOf(fieldOf(place.response, name), schemas);
    visitWithin(field, { ...place, parent: name, fields: [], response }, schemas, visit);
  }
  for (const [key, part] of Object.entries(others)) {
    if (key !== 'example' && key !== 'examples') visitWithin(part, place, schemas, visit);
  }
}

/** True for descriptions that only add to the meaning of a field, such as its default. */
const isAddition = (text: string): boolean =>
  /^(?:A change awaits|Defaults to|False|Given|In|Required|Requires|Returned if|Writable|`false`|`null` before|`null` for) /.test(
    text,
  );

/** Returns the description of a field in its own schema: of the field, or of its value that is not null. */
function ownDescription({ description, anyOf = [] }: Json & { description?: string; anyOf?: Json[] }): string {
  const parts = (anyOf as { description?: string }[]).flatMap((part) => part.description ?? []);
  return description ?? (parts.length === 1 ? parts[0]! : '');
}

const isList = ({ type, anyOf = [] }: Json & { anyOf?: Json[] }): boolean =>
  type === 'array' || anyOf.some((part) => part['type'] === 'array');

interface Operation {
  operationId: string;
  requestBody?: Json;
  responses?: Json;
}
interface Document {
  components: { schemas: Record<string, Json>; responses?: Json };
  paths: Record<string, Record<string, Operation>>;
}

/** End of the name of a schema that adds warnings to another schema. Its other fields have the same descriptions. */
const WITH_WARNINGS = /WithWarnings$/;

/** Each part of a document that contains schemas, with its place. Responses precede the requests that refer to them. */
function* partsOf({ components, paths }: Document): Generator<[place: Place, part: unknown]> {
  for (const [name, schema] of Object.entries(components.schemas))
    yield [{ context: name.replace(WITH_WARNINGS, ''), parent: '', fields: [] }, schema];
  yield [{ context: 'responses', parent: '', fields: [] }, components.responses];
  for (const operations of Object.values(paths)) {
    for (const method of METHODS) {
      const operation = operations[method];
      if (!operation) continue;
      const place = { context: operation.operationId, parent: '', fields: [] };
      yield [place, operation.responses];
      yield [{ ...place, response: responseRecord(operation, components.schemas) }, operation.requestBody];
    }
  }
}

/** Returns the keys of descriptions for a field in its place, the most specific first. */
const specificKeys = ({ context, parent }: Place, name: string): string[] => [
  ...(parent ? [`${context}.${parent}.${name}`] : []),
  `${context}.${name}`,
  ...(parent ? [`${parent}.${name}`] : []),
];

/** Returns the keys of descriptions for fields of a name, the most specific first. */
const generalKeys = (owner: string, { fields }: Place, name: string, field: Json): string[] => [
  `${owner}.${name}`,
  ...(fields.includes('allowed_actions') ? [`${name}+allowed_actions`] : []),
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
  const parts = described as unknown as Document;
  const textFor = (place: Place, name: string, field: Json): string | undefined => {
    const owner = ownerOfField(place.context, place.parent);
    const find = (keys: string[]): string | undefined => {
      const key = keys.find((candidate) => descriptions.has(candidate));
      if (key === undefined) return undefined;
      unused.delete(key);
      return descriptions.get(key)!.replaceAll('{owner}', () => owner);
    };
    return (
      find(specificKeys(place, name)) ??
      responseDescription(place, name, field) ??
      find(generalKeys(owner, place, name, field))
    );
  };
  for (const [start, schema] of partsOf(parts)) {
    visitWithin(schema, start, parts.components.schemas, (place, name, field) => {
      if (typeof field !== 'object') return;
      const own = ownDescription(field);
      if (own && !isAddition(own)) return void (field['description'] = own);
      const text = textFor(place, name, field);
      if (text === undefined) return void missing.add(`${place.context}.${name}`);
      field['description'] = [text, own].filter(Boolean).join(' ');
    });
  }
  return { document: described, missing: [...missing], unused: [...unused] };
}
