import { columnOf, type Fields, type ListQuery, type Operation } from '@suite/chassis/declarations';
import type { z } from 'zod';
import type { Json, SchemaWriter } from './schemas.ts';

/** Whether a query speaks the list grammar. */
export const isList = (query: Operation['query']): query is ListQuery => typeof query?.['parse'] === 'function';

const parameter = (name: string, schema: Json, description?: string): Json => ({
  name,
  in: 'query',
  schema,
  ...(description && { description }),
});

/** The parameters of the list grammar. */
export function listParameters(schemas: SchemaWriter, { row, filter, sort, search, expand }: ListQuery): Json[] {
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
        schemas.write(row.shape[name] as z.ZodType, 'output'),
        `Also \`${name}[operator]\`: ${kinds[kind] ?? 'eq, ne, in, gt, gte, lt, lte, null'}.`,
      );
    }),
  ];
}

/** The parameters of a path or of a query that is no list. */
export function fieldParameters(schemas: SchemaWriter, place: 'path' | 'query', fields: Fields): Json[] {
  return Object.entries(fields).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || !schema.safeParse(undefined).success,
    schema: schemas.write(schema, 'input'),
  }));
}
