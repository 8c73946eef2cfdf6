import { accountScope, type FaultMaker, type Operation } from '@suite/chassis/declarations';
import { components } from './components.ts';
import { choiceParameters, fieldParameters, isList, listParameters } from './parameters.ts';
import { envelope, type Json, json, pageOf, type SchemaWriter, schemaWriter } from './schemas.ts';

const file = { schema: { type: 'string', format: 'binary' } };

function success(schemas: SchemaWriter, { reply: { status, shape, schema }, summary, pdf }: Operation): Json {
  if (shape === 'stream')
    return {
      200: {
        description: summary,
        content: { 'application/octet-stream': file },
      },
    };
  const body = shape === 'page' ? pageOf(schemas.write(schema, 'output')) : envelope(schemas.write(schema, 'output'));
  const sample = schemas.example(body) as Json;
  if (shape === 'page') sample['meta'] = { page: 1, per_page: 20, total: 1, total_is_exact: true, next_cursor: null };
  const content = { ...json(body, sample), ...(pdf && { 'application/pdf': file }) };
  const answer = { description: summary, content };
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

function requestBody(schemas: SchemaWriter, { body, upload }: Operation): Json | undefined {
  if (upload) {
    const fields = body ? (schemas.write(body, 'input')['properties'] as Json) : {};
    const properties = {
      ...fields,
      [upload.field]: upload.many ? { type: 'array', items: file.schema } : file.schema,
    };
    return {
      required: true,
      content: { 'multipart/form-data': { schema: { type: 'object', required: [upload.field], properties } } },
    };
  }
  if (!body) return undefined;
  const schema = schemas.write(body, 'input');
  return { required: !body.safeParse({}).success, content: json(schema, schemas.example(schema)) };
}

function describe(schemas: SchemaWriter, id: string, operation: Operation): Json {
  const { kind, method, module, summary, description, access, params = {}, query, faults = [] } = operation;
  const headers =
    kind === 'command' && access.kind !== 'public' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [];
  const ifMatch =
    kind === 'command' && Object.keys(params).length > 0 && method !== 'DELETE'
      ? [{ $ref: '#/components/parameters/IfMatch' }]
      : [];
  const parameters = [
    ...fieldParameters(schemas, 'path', params),
    ...(isList(query) ? listParameters(schemas, query) : fieldParameters(schemas, 'query', query ?? {})),
    ...choiceParameters(operation),
    ...headers,
    ...ifMatch,
  ];
  const body = requestBody(schemas, operation);
  return {
    operationId: id,
    summary,
    ...(description && { description }),
    tags: [id.split('.')[0]],
    'x-kind': kind,
    ...(module && { 'x-module': module }),
    ...(access.kind === 'permission' && { 'x-permission': access.permission }),
    ...(access.kind === 'session' && { 'x-key-scope': accountScope(operation) }),
    ...(access.kind === 'public' && { security: [] }),
    ...(parameters.length && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      ...success(schemas, operation),
      ...refusals(faults),
      default: { $ref: '#/components/responses/Fault' },
    },
  };
}

/** The OpenAPI 3.1 document of operations by their ids. 3.1 schemas are JSON Schema 2020-12, which zod writes itself. */
export function openapi(info: Json, operations: ReadonlyMap<string, Operation>): Json {
  const schemas = schemaWriter();
  const paths: Record<string, Json> = {};
  for (const [id, operation] of operations)
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(schemas, id, operation);
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths,
    components: components(schemas.components),
  };
}
