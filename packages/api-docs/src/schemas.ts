import { z } from 'zod';
import { example } from './example.ts';

export type Json = Record<string, unknown>;

/** Writes schemas. Named schemas (`.meta({ id })`) go to the components of the document. */
export interface SchemaWriter {
  components: Json;
  write(schema: z.ZodType, io: 'input' | 'output'): Json;
  /** Returns a plausible value for a JSON schema. */
  example(schema: Json): unknown;
}

/** Schemas that all operations share: errors and page metadata. */
const everywhere: Json = {
  Fault: {
    type: 'object',
    required: ['message', 'code', 'request_id', 'docs_url'],
    properties: {
      message: { type: 'string' },
      code: { type: 'string' },
      request_id: { type: 'string' },
      errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
      details: { type: 'object', description: 'Further details, such as the allowed actions.' },
      docs_url: {
        type: 'string',
        format: 'uri-reference',
        description: 'Absolute URL of the explanation of the code.',
      },
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
      sums: {
        type: 'object',
        additionalProperties: true,
        description: 'Totals over all records of the list, not only of the page.',
      },
      summary: {
        type: 'object',
        additionalProperties: true,
        description: 'Totals of the history, regardless of filters.',
      },
    },
  },
};

/** Currency fields, in every record. */
const CURRENCIES = new Set(['currency', 'base_currency']);

/** Formats that are clear without a pattern: the patterns of zod have up to 300 characters, in thousands of places. */
const SPEAKING = new Set(['uuid', 'date', 'date-time']);

/**
 * Returns a writer of JSON Schema 2020-12. Omits zod's safe-integer bounds, which do not help readers, and `$schema`,
 * which is for whole documents.
 */
export function schemaWriter(): SchemaWriter {
  const components: Json = { ...everywhere };
  return {
    components,
    write(schema, io) {
      const written = z.toJSONSchema(schema, {
        target: 'draft-2020-12',
        io,
        unrepresentable: 'any',
        override: ({ jsonSchema: json, path }) => {
          if (
            json.type === 'string' &&
            CURRENCIES.has(String(path.findLast((part) => part !== 'anyOf' && typeof part === 'string')))
          )
            Object.assign(json, { format: 'iso-4217', pattern: '^[A-Z]{3}$', examples: ['EUR'] });
          if (SPEAKING.has(String(json.format))) delete json.pattern;
          if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
          if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
        },
      });
      const text = JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/');
      const { $schema: _, $defs = {}, id, ...root } = JSON.parse(text);
      for (const [name, { id: __, ...named }] of Object.entries($defs as Record<string, Json>))
        components[name] = named;
      if (typeof id !== 'string') return root;
      components[id] = root;
      return { $ref: `#/components/schemas/${id}` };
    },
    example: (schema) => example(schema, '', (reference) => components[reference.split('/').at(-1)!] as Json),
  };
}

/** Returns the description of a JSON body. */
export const json = (schema: Json, example?: unknown) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});
const PAGE_META: Json = { $ref: '#/components/schemas/PageMeta' };

/** Returns the schema of `{ data }`. A list also has `meta`. */
export const envelope = (data: Json): Json =>
  data['type'] === 'array'
    ? { type: 'object', properties: { data, meta: PAGE_META }, required: ['data', 'meta'] }
    : { type: 'object', properties: { data }, required: ['data'] };

/** Returns the schema of `{ data: […], meta }`. */
export const pageOf = (row: Json): Json => ({
  type: 'object',
  required: ['data', 'meta'],
  properties: { data: { type: 'array', items: row }, meta: PAGE_META },
});
