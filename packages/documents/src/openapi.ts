import { columnOf, type FaultMaker, type Fields, type ListQuery, type Operation, type Reply, standardFaults } from '@suite/chassis/declarations';
import { z } from 'zod';
import { example } from './example.ts';

type Json = Record<string, unknown>;

/** zod's safe-integer bounds are noise to a reader, and a `$schema` belongs to documents only. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...root } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: json }) => {
      if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
      if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
    },
  });
  return root;
}

const json = (schema: Json, example?: unknown) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});
const envelope = (data: Json): Json => ({ type: 'object', properties: { data }, required: ['data'] });

const pageOf = (row: Json): Json => ({
  type: 'object',
  required: ['data', 'meta'],
  properties: { data: { type: 'array', items: row }, meta: { $ref: '#/components/schemas/PageMeta' } },
});

const isList = (query: Operation['query']): query is ListQuery => typeof query?.['parse'] === 'function';

const parameter = (name: string, schema: Json, description?: string): Json => ({
  name,
  in: 'query',
  schema,
  ...(description && { description }),
});

function listParameters({ row, filter, sort, search, expand }: ListQuery): Json[] {
  const kinds = { uuid: 'eq, ne, in, null', text: 'eq, ne, in, like, null', boolean: 'eq, ne, null' } as Record<
    string,
    string
  >;
  return [
    parameter('page', { type: 'integer', minimum: 1, default: 1 }),
    parameter('per_page', { type: 'integer', minimum: 1, maximum: 100, default: 20 }),
    parameter(
      'cursor',
      { type: 'string' },
      '`meta.next_cursor` of the page before; for syncing and for pages deep down.',
    ),
    ...(sort.length
      ? [
          parameter(
            'sort',
            { type: 'string', example: `-${sort[0]}` },
            `Comma-separated; "-" turns the order round. Any of: ${sort.join(', ')}.`,
          ),
        ]
      : []),
    ...(search
      ? [parameter('q', { type: 'string', maxLength: 200 }, 'Full-text search; the last word matches as a beginning.')]
      : []),
    ...(expand.length
      ? [parameter('expand', { type: 'string', example: expand.join(',') }, `Comma-separated: ${expand.join(', ')}.`)]
      : []),
    parameter('fields', { type: 'string', example: 'id' }, 'Only these fields of each row.'),
    ...filter.map((name) => {
      const { kind } = columnOf(row.shape[name] as z.ZodType);
      return parameter(
        name,
        jsonSchema(row.shape[name] as z.ZodType, 'output'),
        `Also \`${name}[operator]\`: ${kinds[kind] ?? 'eq, ne, in, gt, gte, lt, lte, null'}.`,
      );
    }),
  ];
}

function fieldParameters(place: 'path' | 'query', fields: Fields): Json[] {
  return Object.entries(fields).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || !schema.safeParse(undefined).success,
    schema: jsonSchema(schema, 'input'),
  }));
}

function success({ status, shape, schema }: Reply, summary: string): Json {
  if (shape === 'stream')
    return {
      200: {
        description: summary,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
    };
  const body = shape === 'page' ? pageOf(jsonSchema(schema, 'output')) : envelope(jsonSchema(schema, 'output'));
  const sample = example(body) as Json;
  if (shape === 'page') sample['meta'] = { page: 1, per_page: 20, total: 1, total_is_exact: true, next_cursor: null };
  const answer = { description: summary, content: json(body, sample) };
  return shape === 'upserted' ? { 200: answer, 201: answer } : { [status]: answer };
}

function refusals(faults: readonly FaultMaker[]): Json {
  const byStatus = Map.groupBy(faults, ({ status }) => status);
  const describe = (makers: FaultMaker[]) => makers.map(({ code, text }) => `\`${code}\`: ${text}`).join(' ');
  return Object.fromEntries(
    [...byStatus].map(([status, makers]) => [
      status,
      { description: describe(makers), content: json({ $ref: '#/components/schemas/Fault' }) },
    ]),
  );
}

function requestBody({ body, upload }: Operation): Json | undefined {
  if (upload) {
    const fields = body ? (jsonSchema(body, 'input')['properties'] as Json) : {};
    const file = { type: 'string', format: 'binary' };
    const properties = { ...fields, [upload.field]: upload.many ? { type: 'array', items: file } : file };
    return {
      required: true,
      content: { 'multipart/form-data': { schema: { type: 'object', required: [upload.field], properties } } },
    };
  }
  if (!body) return undefined;
  const schema = jsonSchema(body, 'input');
  return { required: !body.safeParse({}).success, content: json(schema, example(schema)) };
}

function describe(id: string, operation: Operation): Json {
  const { kind, method, module, summary, description, access, params = {}, query, reply, faults = [] } = operation;
  const headers =
    kind === 'command' && access.kind !== 'public' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [];
  const ifMatch =
    kind === 'command' && Object.keys(params).length > 0 && method !== 'DELETE'
      ? [{ $ref: '#/components/parameters/IfMatch' }]
      : [];
  const parameters = [
    ...fieldParameters('path', params),
    ...(isList(query) ? listParameters(query) : fieldParameters('query', query ?? {})),
    ...headers,
    ...ifMatch,
  ];
  const body = requestBody(operation);
  return {
    operationId: id,
    summary,
    ...(description && { description }),
    tags: [id.split('.')[0]],
    'x-kind': kind,
    ...(module && { 'x-module': module }),
    ...(access.kind === 'permission' && { 'x-permission': access.permission }),
    ...(access.kind === 'public' && { security: [] }),
    ...(parameters.length && { parameters }),
    ...(body && { requestBody: body }),
    responses: { ...success(reply, summary), ...refusals(faults), default: { $ref: '#/components/responses/Fault' } },
  };
}

/** The OpenAPI 3.1 document of operations by their ids. 3.1 schemas are JSON Schema 2020-12, which zod writes itself. */
export function openapi(info: Json, operations: ReadonlyMap<string, Operation>): Json {
  const paths: Record<string, Json> = {};
  for (const [id, operation] of operations)
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(id, operation);
  const known = standardFaults.map(({ status, code, text }) => `| ${status} | \`${code}\` | ${text} |`).join('\n');
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The access token of a session (`POST /api/login`), or a personal API key (`bms_…`).',
        },
      },
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          schema: { type: 'string', maxLength: 255 },
          description: 'Repeating the call with the same key gives the first answer again, for 24 hours.',
        },
        IfMatch: {
          name: 'If-Match',
          in: 'header',
          schema: { type: 'string' },
          description: 'The `ETag` that was read; a record that changed since answers 412.',
        },
      },
      schemas: {
        Fault: {
          type: 'object',
          required: ['message', 'code', 'request_id'],
          properties: {
            message: { type: 'string' },
            code: { type: 'string' },
            request_id: { type: 'string' },
            errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
            details: { type: 'object' },
          },
        },
        PageMeta: {
          type: 'object',
          required: ['page', 'per_page', 'total', 'total_is_exact', 'next_cursor'],
          properties: {
            page: { type: 'integer' },
            per_page: { type: 'integer' },
            total: { type: 'integer' },
            total_is_exact: { type: 'boolean' },
            next_cursor: { type: ['string', 'null'] },
          },
        },
      },
      responses: {
        Fault: {
          description: `Any error, always in this shape.\n\n| Status | Code | Meaning |\n|---|---|---|\n${known}`,
          content: json({ $ref: '#/components/schemas/Fault' }),
        },
      },
    },
  };
}
