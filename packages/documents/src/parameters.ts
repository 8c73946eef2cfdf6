import {
  choosable,
  columnOf,
  type Fields,
  type ListQuery,
  type Operation,
  operatorsOf,
} from '@suite/chassis/declarations';
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

const DAYS =
  "A plain day is one of the workspace's zone: `gte` from its beginning, `lte` through its end, without an operator on it.";

/** `fields` and `expand`, where one record is shown. */
export function choiceParameters(operation: Operation): Json[] {
  const { fields = [], expand = [] } = choosable(operation) ?? {};
  const all = `Comma-separated: ${expand.join(', ')}. All of them otherwise.`;
  return [
    ...(fields.length ? [parameter('fields', { type: 'string' }, 'Only these fields, comma-separated.')] : []),
    ...(expand.length ? [parameter('expand', { type: 'string' }, all)] : []),
  ];
}

/** The parameters of the list grammar. */
export function listParameters(schemas: SchemaWriter, grammar: ListQuery): Json[] {
  const { row, filter, through, sort, search, expand } = grammar;
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
      const field = row.shape[name] as z.ZodType;
      const days = columnOf(field).kind === 'timestamptz' ? ` ${DAYS}` : '';
      const operators = `Also \`${name}[operator]\`: ${operatorsOf(field).join(', ')}.${days}`;
      return parameter(name, schemas.write(field, 'output'), operators);
    }),
    ...through.map((name) =>
      parameter(name, { type: 'string', format: 'uuid' }, `Rows that have this one. Also \`${name}[in]\`.`),
    ),
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
