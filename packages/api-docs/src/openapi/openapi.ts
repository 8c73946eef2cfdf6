import { accountScope, type DeclaredOperations, type Format, MEDIA, type Operation } from '@suite/chassis/declarations';
import { accessDescription } from './access-description.ts';
import { components } from './components.ts';
import { readsIfMatch, successHeaders } from './headers.ts';
import { choiceParameters, fieldParameters, isList, listParameters } from './parameters.ts';
import { faultsOf, withStatuses } from './refusals.ts';
import { shareParameters } from './shared-parameters.ts';
import { envelope, type Json, json, pageOf, type SchemaWriter, schemaWriter } from '../schemas.ts';
import { type DescribedOperation, describeOperations, tagsOf } from './tags.ts';

/** A recorded request and its response. */
export interface Example {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  answer: { status: number; body?: unknown };
}

/** Texts of the document that are not in the declarations. */
export interface DocumentExtras {
  /** The description of each resource, by its name in the code. */
  resources: ReadonlyMap<string, string>;
  /** The title of each service in the reference, by its name. */
  groups: ReadonlyMap<string, string>;
  /** Recorded calls by the ids of operations in the document. */
  examples: ReadonlyMap<string, Example>;
}

const file = { type: 'string', format: 'binary' };
function success(schemas: SchemaWriter, operation: Operation, example: Example | undefined): Json {
  const { reply, formats = {}, kind } = operation;
  const { status, shape, schema } = reply;
  const headers = successHeaders(operation);
  if (shape === 'stream') {
    const content = Object.fromEntries((reply.media_types ?? []).map((type) => [type, { schema: file }]));
    return { 200: { description: 'The file.', headers, content } };
  }
  const written = schemas.write(schema, 'output');
  const body = shape === 'page' ? pageOf(written) : envelope(written);
  const otherForms = Object.fromEntries(
    (Object.keys(formats) as Format[]).map((format) => [
      MEDIA[format],
      { schema: { ...file, contentMediaType: MEDIA[format] } },
    ]),
  );
  const answerWith = (code: number, description: string) => {
    const sample = example?.answer.status === code ? example.answer.body : undefined;
    return { description, headers, content: { ...json(body, sample), ...otherForms } };
  };
  if (shape === 'page') return { 200: answerWith(200, 'A page of records.') };
  const done = kind === 'query' ? 'The requested data.' : 'The result.';
  if (shape === 'upserted')
    return {
      200: answerWith(200, 'The record was updated or already existed.'),
      201: answerWith(201, 'The record was created.'),
    };
  return { [status]: answerWith(status, status === 201 ? 'The record was created.' : done) };
}

function requestBody(
  schemas: SchemaWriter,
  { body, upload, message }: Operation,
  example: Example | undefined,
): Json | undefined {
  if (upload) {
    const { properties: fields = {}, required: needed = [] } = body ? schemas.write(body, 'input') : {};
    const properties = { ...(fields as Json), [upload.field]: upload.many ? { type: 'array', items: file } : file };
    const required = [...(needed as string[]), ...(upload.optional ? [] : [upload.field])];
    const fits = !upload.many && !upload.optional && example?.body !== undefined;
    const sample = fits && { example: { ...(example.body as Json), [upload.field]: 'bicycle.png' } };
    const form = { 'multipart/form-data': { schema: { type: 'object', required, properties }, ...sample } };
    if (!upload.optional) return { required: true, content: form };
    const plain = requestBody(schemas, { body } as Operation, example);
    return { ...plain, content: { ...(plain?.['content'] as Json), ...form } };
  }
  if (message)
    return {
      required: true,
      content: {
        [message.mime]: {
          schema: { ...file, maxLength: message.max_bytes },
          ...(example && { example: example.body }),
        },
      },
    };
  if (!body) return undefined;
  const schema = schemas.write(body, 'input');
  const isRequired = !body.safeParse({}).success;
  return { required: isRequired, content: json(schema, example?.body ?? (isRequired ? schemas.example(schema) : {})) };
}

/** Puts the values of a recorded call into its parameters. */
function withExamples(parameters: Json[], example: Example | undefined): Json[] {
  const given: Record<string, Record<string, string> | undefined> = { path: example?.path, query: example?.query };
  return parameters.map((parameter) => {
    const { examples: _, ...own } = parameter;
    const value = given[String(own['in'])]?.[String(own['name'])];
    return value === undefined ? parameter : { ...own, example: value };
  });
}

/** The header fields that an operation reads. */
function headersRead(operation: Operation): Json[] {
  const { kind, access } = operation;
  const isKeyed = kind === 'command' && access.kind !== 'public';
  return [
    ...(isKeyed ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(readsIfMatch(operation) ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
  ];
}

function describe(
  schemas: SchemaWriter,
  responses: Json,
  described: DescribedOperation,
  example: Example | undefined,
): Json {
  const { id, tag, operation } = described;
  const { kind, module, summary, description, access, params = {}, query } = operation;
  const parameters = withExamples(
    [
      ...fieldParameters(schemas, 'path', params),
      ...(isList(query) ? listParameters(schemas, query) : fieldParameters(schemas, 'query', query ?? {})),
      ...choiceParameters(operation),
      ...headersRead(operation),
    ],
    example,
  );
  const body = requestBody(schemas, operation, example);
  return {
    operationId: id,
    summary,
    description: [withStatuses(description, operation), accessDescription(operation)].filter(Boolean).join('\n\n'),
    tags: [tag],
    'x-kind': kind,
    ...(module && { 'x-module': module }),
    ...(access.kind === 'permission' && { 'x-permission': access.permission }),
    ...(accountScope(operation) && { 'x-key-scope': accountScope(operation) }),
    ...(access.kind === 'instance' && { security: [{ instanceToken: [] }] }),
    ...(access.kind === 'public' && { security: access.bearer ? [{ ownToken: [] }] : [] }),
    ...(parameters.length && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      ...success(schemas, operation, example),
      ...faultsOf(operation, responses),
      default: { $ref: '#/components/responses/Fault' },
    },
  };
}

/** The OpenAPI 3.1 document of services. 3.1 schemas are JSON Schema 2020-12, which zod writes itself. */
export function openapi(
  info: Json,
  services: readonly DeclaredOperations[],
  { resources, groups, examples }: DocumentExtras,
): Json {
  const schemas = schemaWriter();
  const responses: Json = {};
  const operations = describeOperations(services);
  const paths: Record<string, Json> = {};
  for (const described of operations) {
    const { path, method } = described.operation;
    const example = examples.get(described.id);
    (paths[path] ??= {})[method.toLowerCase()] = describe(schemas, responses, described, example);
  }
  const parameters = shareParameters(paths);
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'The gateway that serves this document.' }],
    security: [{ bearer: [] }],
    ...tagsOf(operations, resources, groups),
    paths,
    components: components({ schemas: schemas.components, responses, parameters }),
  };
}
