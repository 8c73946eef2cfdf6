/** Reads from the published OpenAPI document what a test needs about each operation. */
import { sample } from '@suite/api-docs';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  minItems?: number;
  properties?: Record<string, Schema>;
  propertyNames?: Schema;
  allOf?: Schema[];
  required?: string[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

export interface ApiOperation {
  /** `leads.create` */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `/api/lead/show/{id}` */
  path: string;
  kind: 'query' | 'command';
  is_public: boolean;
  path_variables: string[];
  query: Parameter[];
  /** Resolved schema of the body, without `$ref`. */
  body: Schema | undefined;
  /** The field of a multipart form that accepts a file. */
  upload: string | undefined;
  /** The media type of a body that is neither JSON nor a form, but a raw message. */
  message: string | undefined;
  /** A realistic body with every field. */
  example: Record<string, unknown>;
  successes: number[];
  /** The documented errors, such as `409 in_use`. */
  refusals: ReadonlySet<string>;
}

interface Content {
  schema: Schema;
  example?: Record<string, unknown>;
}
interface Answer {
  $ref?: string;
  description?: string;
  content?: Record<string, Content>;
}
interface DescribedFields {
  operationId: string;
  'x-kind': 'query' | 'command';
  security?: unknown[];
  parameters?: (Parameter & { $ref?: string })[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Answer>;
}
export interface ApiDocument {
  openapi: string;
  paths: Record<string, Record<string, DescribedFields>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Answer>;
    parameters: Record<string, Parameter>;
  };
}

/** Returns a schema with all references resolved. */
function resolved(schema: Schema, document: ApiDocument): Schema {
  if (schema.$ref) return resolved(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, document);
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, resolved(value, document)]),
      ),
    }),
    ...(items && { items: resolved(items, document) }),
    ...(anyOf && { anyOf: anyOf.map((one) => resolved(one, document)) }),
  };
}

const UPLOADED = 'multipart/form-data';

function read(path: string, method: string, described: DescribedFields, document: ApiDocument): ApiOperation {
  const { operationId: id, parameters = [], requestBody, responses, security } = described;
  const content = requestBody?.content ?? {};
  const { schema } = content['application/json'] ?? content[UPLOADED] ?? {};
  const body = schema && resolved(schema, document);
  const shared = document.components.responses;
  const standard = [...(shared['Fault']?.description ?? '').matchAll(/\| (\d{3}) \| `(\w+)`/g)];
  const own = Object.entries(responses).flatMap(([status, answer]) => {
    const { content: refused } = answer.$ref ? (shared[answer.$ref.split('/').at(-1) ?? ''] ?? {}) : answer;
    const parts = refused?.['application/json']?.schema.allOf ?? [];
    return parts
      .flatMap(({ properties }) => properties?.['code']?.enum ?? [])
      .map((code) => `${status} ${String(code)}`);
  });
  return {
    id,
    method: method.toUpperCase() as ApiOperation['method'],
    path,
    kind: described['x-kind'],
    is_public: security?.length === 0,
    path_variables: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name)),
    // Operators are parameters as well, so tests of filters include all operators of each.
    query: parameters
      .map((one) => (one.$ref ? document.components.parameters[one.$ref.split('/').at(-1) ?? '']! : one))
      .filter((one) => one.in === 'query' && !one.name.includes('['))
      .map((one) => ({ ...one, schema: resolved(one.schema, document) })),
    body,
    // An operation that also accepts JSON is called with JSON.
    upload: UPLOADED in content && !content['application/json'] ? fileFieldOf(body) : undefined,
    message: Object.keys(content).find((type) => type !== 'application/json' && type !== UPLOADED),
    example: body ? { ...(sample(body) as Record<string, unknown>), ...recordedOf(body, content) } : {},
    successes: Object.keys(responses)
      .map(Number)
      .filter((status) => status < 300),
    refusals: new Set([...standard.map(([, status, code]) => `${status} ${code}`), ...own]),
  };
}

/**
 * Returns recorded values of fields whose schema alone is not enough to create a value: patterns, time zones, pairs.
 */
function recordedOf({ properties = {} }: Schema, content: Record<string, Content>): Record<string, unknown> {
  const recorded = Object.entries(content['application/json']?.example ?? {});
  const isParticular = (name: string): boolean =>
    ['timezone', 'start', 'end'].includes(name) ||
    ['uuid', 'date', 'date-time'].includes(String(properties[name]?.format)) ||
    Boolean(properties[name]?.pattern) ||
    Boolean(properties[name]?.properties) ||
    Boolean(properties[name]?.propertyNames) ||
    Boolean(properties[name]?.items?.properties?.['name']?.pattern) ||
    (Boolean(properties[name]?.items?.pattern) && !properties[name]?.items?.format);
  return Object.fromEntries(recorded.filter(([name]) => isParticular(name)));
}

function fileFieldOf(body: Schema | undefined): string | undefined {
  const isFile = ({ format, items }: Schema): boolean => format === 'binary' || items?.format === 'binary';
  return Object.entries(body?.properties ?? {}).find(([, schema]) => isFile(schema))?.[0];
}

/** Operations of white-label instances return 401 to all users of workspaces. */
const isOfInstances = ({ security = [] }: DescribedFields): boolean =>
  security.some((scheme) => typeof scheme === 'object' && scheme !== null && 'instanceToken' in scheme);

const chooseOperations = (document: ApiDocument, isChosen: (described: DescribedFields) => boolean): ApiOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, described]) => isChosen(described))
      .map(([method, described]) => read(path, method, described, document)),
  );

/** Returns the operations of a document that users call, in document order. */
export const operationsIn = (document: ApiDocument): ApiOperation[] =>
  chooseOperations(document, (described) => !isOfInstances(described));

/** Returns the operations of a document that white-label instances call. */
export const instanceOperationsIn = (document: ApiDocument): ApiOperation[] =>
  chooseOperations(document, isOfInstances);

/** Reads the OpenAPI document from a gateway. */
export async function apiDocument(gateway: string): Promise<ApiDocument> {
  return (await (await fetch(`${gateway}/openapi.json`)).json()) as ApiDocument;
}

/** Returns the number of record IDs that a schema accepts: one, many, or undefined for none. */
export function idIn(schema: Schema): 'one' | 'many' | undefined {
  if (schema.format === 'uuid') return 'one';
  if (schema.items) return idIn(schema.items) && 'many';
  return schema.anyOf?.map(idIn).find(Boolean);
}

/** Returns a path with its variables replaced by values. */
export const pathWith = (path: string, values: Record<string, string>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
