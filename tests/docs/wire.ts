/** Reads properties and objects of requests and responses from the OpenAPI document. */

/** A schema of the document. */
export interface WireSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, WireSchema>;
  required?: string[];
  'x-inner'?: string;
  additionalProperties?: WireSchema | boolean;
  items?: WireSchema;
  allOf?: WireSchema[];
  anyOf?: WireSchema[];
  oneOf?: WireSchema[];
}

interface Content {
  $ref?: string;
  content?: Record<string, { schema: WireSchema }>;
}
interface DescribedWire {
  operationId?: string;
  'x-kind'?: string;
  requestBody?: Content;
  responses: Record<string, Content>;
}
/** The OpenAPI document. */
export interface WireDocument {
  paths: Record<string, Record<string, DescribedWire>>;
  components: Record<string, Record<string, WireSchema & Content>>;
}

/** An operation with the schemas of its JSON bodies. */
export interface WireOperation {
  id: string;
  method: string;
  kind: string;
  body: WireSchema | undefined;
  reply: WireSchema | undefined;
}

/** A property of a request or response. */
export interface Property {
  operation: string;
  /** Place in the body: `.data[].name`. Requests begin with `body`. */
  path: string;
  name: string;
  description: string;
  types: readonly string[];
  values: readonly unknown[];
  /** Types of the elements of a list. */
  item: readonly string[];
  item_values: readonly unknown[];
}

/** An object of a request or response. */
export interface WireObject {
  operation: string;
  path: string;
  names: readonly string[];
  /** Names in the objects that the object contains, by property. */
  embedded: Readonly<Record<string, readonly string[]>>;
}

function resolved<T extends { $ref?: string }>(document: WireDocument, schema: T): T {
  let found = schema;
  while (found.$ref) {
    const [, , group = '', name = ''] = found.$ref.split('/');
    found = document.components[group]![name] as unknown as T;
  }
  return found;
}

const jsonOf = (document: WireDocument, part: Content | undefined): WireSchema | undefined => {
  const content = part && resolved(document, part).content;
  const schema = (content?.['application/json'] ?? content?.['multipart/form-data'])?.schema;
  return schema && resolved(document, schema);
};

/** Returns all operations of the document. */
export const operationsOf = (document: WireDocument): WireOperation[] =>
  Object.values(document.paths).flatMap((methods) =>
    Object.entries(methods).flatMap(([method, { operationId, responses, requestBody, 'x-kind': kind = '' }]) =>
      operationId === undefined
        ? []
        : [
            {
              id: operationId,
              method,
              kind,
              body: jsonOf(document, requestBody),
              reply: jsonOf(document, responses['200'] ?? responses['201']),
            },
          ],
    ),
  );

/** Returns a schema and its alternatives. */
function alternativesOf(document: WireDocument, schema: WireSchema): WireSchema[] {
  const { anyOf = [], oneOf = [], allOf = [], ...own } = resolved(document, schema);
  return [own, ...[...anyOf, ...oneOf, ...allOf].flatMap((one) => alternativesOf(document, one))];
}

const typesOf = (all: readonly WireSchema[]): string[] => all.flatMap(({ type = [] }) => type);
const valuesOf = (all: readonly WireSchema[]): unknown[] =>
  all.flatMap(({ enum: values = [], const: value }) => (value === undefined ? values : [...values, value]));

type Visit = (schema: WireSchema, path: string, all: readonly WireSchema[]) => void;

/** Visits a schema and all schemas inside it. A schema inside itself is visited once. */
function walk(
  document: WireDocument,
  schema: WireSchema,
  path: string,
  visit: Visit,
  seen: readonly string[] = [],
): void {
  if (schema.$ref && seen.includes(schema.$ref)) return;
  const within = schema.$ref ? [...seen, schema.$ref] : seen;
  const all = alternativesOf(document, schema);
  visit(schema, path, all);
  for (const { properties = {}, items, additionalProperties } of all) {
    for (const [name, inner] of Object.entries(properties)) walk(document, inner, `${path}.${name}`, visit, within);
    if (items) walk(document, items, `${path}[]`, visit, within);
    if (typeof additionalProperties === 'object') walk(document, additionalProperties, `${path}{}`, visit, within);
  }
}

/** Visits the schemas of an operation's request and response. */
function visitOperation(document: WireDocument, { body, reply }: WireOperation, visit: Visit): void {
  if (body) walk(document, body, 'body', visit);
  if (reply) walk(document, reply, '', visit);
}

const elementsOf = (document: WireDocument, all: readonly WireSchema[]): WireSchema[] =>
  all.flatMap(({ items }) => (items ? alternativesOf(document, items) : []));

/** Returns the properties of an operation's request and response. */
export function propertiesOf(document: WireDocument, operation: WireOperation): Property[] {
  const found: Property[] = [];
  visitOperation(document, operation, (schema, path, all) => {
    const name = /\.(\w+)$/.exec(path)?.[1];
    if (!name) return;
    const elements = elementsOf(document, all);
    found.push({
      operation: operation.id,
      path,
      name,
      description: schema.description ?? all[0]?.description ?? '',
      types: typesOf(all),
      values: valuesOf(all),
      item: typesOf(elements),
      item_values: valuesOf(elements),
    });
  });
  return found;
}

/** Returns the properties of an object that responses contain for their readers: required or inner ones, and all. */
function fieldsOf(document: WireDocument, schema: WireSchema): { names: string[]; sent: string[] } {
  const all = alternativesOf(document, schema);
  const entries = all.flatMap(({ properties = {} }) => Object.entries(properties));
  const required = new Set(all.flatMap((one) => one.required ?? []));
  const isSent = ([name, field]: [string, WireSchema]) => required.has(name) || field['x-inner'] !== undefined;
  return { names: entries.map(([name]) => name), sent: entries.filter(isSent).map(([name]) => name) };
}

/** The main object of a response: the record, or a row of a list. */
export interface MainObject {
  isList: boolean;
  names: readonly string[];
  /** The properties that responses always contain, apart from inner fields. */
  sent: readonly string[];
}

/** Returns the main object of an operation's response. */
export function mainObjectOf(document: WireDocument, { reply }: WireOperation): MainObject | undefined {
  const field = reply && alternativesOf(document, reply).find(({ properties }) => properties?.['data']);
  const data = field?.properties?.['data'];
  if (!data) return undefined;
  const element = alternativesOf(document, data).find(({ items }) => items)?.items;
  return { isList: element !== undefined, ...fieldsOf(document, element ?? data) };
}

/** Returns the properties of an operation's request. */
export const sentNamesOf = (document: WireDocument, { body }: WireOperation): string[] =>
  body ? fieldsOf(document, body).names : [];

const namesOf = (all: readonly WireSchema[]): string[] => all.flatMap(({ properties = {} }) => Object.keys(properties));

/** Returns the objects of an operation's request and response. */
export function objectsOf(document: WireDocument, operation: WireOperation): WireObject[] {
  const found: WireObject[] = [];
  visitOperation(document, operation, (_, path, all) => {
    const names = namesOf(all);
    if (names.length === 0) return;
    const embedded = Object.fromEntries(
      all
        .flatMap(({ properties = {} }) => Object.entries(properties))
        .map(([name, schema]) => [name, namesOf(alternativesOf(document, schema))] as const)
        .filter(([, parts]) => parts.length > 0),
    );
    found.push({ operation: operation.id, path, names, embedded });
  });
  return found;
}
