import {
  choicesOf,
  columnOf,
  type Fields,
  type ListQuery,
  type Operation,
  operatorsOf,
  tables,
} from '@suite/chassis/declarations';
import { singular } from '@suite/chassis/fields';
import type { z } from 'zod';
import type { Json, SchemaWriter } from '../schemas.ts';
import { nounOf } from './owner-of-field.ts';

/** Returns true if a query uses the list grammar. */
export const isList = (query: Operation['query']): query is ListQuery => typeof query?.['parse'] === 'function';

/**
 * Shows the allowed values of an optional parameter, and leaves the parameter out of requests that are tried. Without
 * this, the reference would send every default and the first value of every enumeration.
 */
function leftOut(parameter: Json): Json {
  const schema = parameter['schema'] as {
    default?: unknown;
    enum?: unknown[];
    examples?: unknown[];
    example?: unknown;
  };
  const value = schema.default ?? schema.enum?.[0] ?? schema.examples?.[0] ?? schema.example;
  if (value === undefined || parameter['required']) return parameter;
  return { ...parameter, examples: { left_out: { value, 'x-disabled': true } } };
}

const parameter = (name: string, schema: Json, description: string): Json =>
  leftOut({ name, in: 'query', description, schema });

/** Several values, separated by commas. */
const several = (name: string, items: Json, description: string, limits: Json = {}): Json => ({
  ...parameter(name, { type: 'array', items, ...limits }, description),
  style: 'form',
  explode: false,
});

/** The description of a filter, in a phrase. */
const PHRASES: Readonly<Record<string, string>> = {
  eq: 'equals this value',
  ne: 'differs from this value',
  in: 'is one of these values',
  gt: 'is greater than this value',
  gte: 'is at least this value',
  lt: 'is less than this value',
  lte: 'is at most this value',
  like: 'contains this text',
};

/** The same for a time, which is compared with a time or with a day. */
const TIME_PHRASES: Readonly<Record<string, string>> = {
  eq: 'is at this time, or on this day',
  ne: 'is neither at this time nor on this day',
  in: 'is at one of these times, or on one of these days',
  gt: 'is after this time or day',
  gte: 'is at or after this time, or on or after this day',
  lt: 'is before this time or day',
  lte: 'is at or before this time, or on or before this day',
};

/** The same for a day. */
const DAY_PHRASES: Readonly<Record<string, string>> = {
  eq: 'is this day',
  ne: 'is not this day',
  in: 'is one of these days',
  gt: 'is after this day',
  gte: 'is on or after this day',
  lt: 'is before this day',
  lte: 'is on or before this day',
};

/** The same for a list of texts, which is compared text by text. */
const TEXTS_PHRASES: Readonly<Record<string, string>> = {
  eq: 'contain this text',
  in: 'contain one of these texts',
};

const SEARCH = 'Full-text search. Each word also matches longer words that begin with it.';

/** Parameters that all lists share. */
export const listComponents: Json = {
  Page: parameter('page', { type: 'integer', minimum: 1, default: 1 }, 'Page number, starting at 1.'),
  // Two records are enough to read, and the recorded list responses used this value.
  PerPage: {
    name: 'per_page',
    in: 'query',
    description: 'Number of records per page, at most 100. Defaults to 20.',
    example: 2,
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
  Cursor: parameter(
    'cursor',
    { type: 'string' },
    'Value of `meta.next_cursor` of the previous response. Use it instead of `page` to synchronise records or to read distant pages.',
  ),
  Search: parameter('q', { type: 'string', maxLength: 200 }, SEARCH),
};
const shared = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });

const DAYS = "Days are in the workspace's time zone.";

/** Phrases of the kinds of columns that are not compared by `PHRASES` alone. */
const KIND_PHRASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  texts: TEXTS_PHRASES,
  timestamptz: TIME_PHRASES,
  date: DAY_PHRASES,
};

/** A column's schema as a filter takes it: whether it is empty is asked with `[null]`. */
function filterSchema(schemas: SchemaWriter, schema: z.ZodType): Json {
  const { anyOf, description: _, ...written } = schemas.write(schema, 'output');
  if (!anyOf) return { ...written, type: [written['type']].flat().find((type) => type !== 'null') };
  const [present, ...others] = (anyOf as Json[]).filter(({ type }) => type !== 'null');
  return others.length > 0 ? { anyOf: [present, ...others] } : present!;
}

/** A list of values is compared with one of its elements. */
function elementOf(schema: z.ZodType): z.ZodType {
  const { element, innerType } = schema.def as { element?: z.ZodType; innerType?: z.ZodType };
  if (element) return element;
  return columnOf(schema).kind === 'texts' && innerType ? elementOf(innerType) : schema;
}

function filters(schemas: SchemaWriter, name: string, schema: z.ZodType): Json[] {
  const value = filterSchema(schemas, elementOf(schema));
  const { kind } = columnOf(schema);
  const days = kind === 'timestamptz' ? ` ${DAYS}` : '';
  return operatorsOf(schema).map((operator) => {
    const called = operator === 'eq' ? name : `${name}[${operator}]`;
    const phrase = KIND_PHRASES[kind]?.[operator] ?? PHRASES[operator] ?? operator;
    const says =
      operator === 'null'
        ? `Returns records without a value of \`${name}\` (\`true\`), or with one (\`false\`).`
        : `Returns records whose \`${name}\` ${phrase}.${days}`;
    if (operator === 'in') return several(called, value, says, { minItems: 1, maxItems: 100 });
    if (operator === 'null') return parameter(called, { type: 'boolean' }, says);
    return parameter(called, operator === 'like' ? { type: 'string', maxLength: 200 } : value, says);
  });
}

const words = (names: readonly string[]): Json => ({ type: 'string', enum: names });

const ALL_FIELDS = 'Defaults to all fields. All other fields are omitted, including fields that the schema requires.';

/** `fields` and `expand`, where one record is shown. */
export function choiceParameters(operation: Operation): Json[] {
  const { fields = [], expand = [], on_demand = [] } = choicesOf(operation) ?? {};
  const named = on_demand.map((name) => `\`${name}\``).join(' and ');
  return [
    ...(fields.length ? [several('fields', words(fields), `Fields to return, comma-separated. ${ALL_FIELDS}`)] : []),
    ...(expand.length
      ? [
          several(
            'expand',
            words(expand),
            `Related records to add to the chosen \`fields\`. Without \`fields\`, all related records are returned${named && `, except ${named}`}.`,
          ),
        ]
      : []),
  ];
}

/** Filters by the id of what belongs to a record, such as a label of a lead. */
const memberships = (name: string): Json[] => {
  const member = nounOf(name.replace(/_id$/, ''));
  const id: Json = { type: 'string', format: 'uuid' };
  return [
    parameter(name, id, `Returns records that have this ${member}.`),
    several(`${name}[in]`, id, `Returns records that have one of these ${member}s.`, { minItems: 1, maxItems: 100 }),
  ];
};

const listed = (names: readonly string[]): string =>
  names
    .map((name) => `\`${name}\``)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ');

/** Returns the search parameter of a list, with the texts that it searches if the declaration of the list names them. */
function searchParameter({ searched }: ListQuery): Json {
  if (!searched) return shared('Search');
  const { texts = [], through = {} } = searched;
  const own = texts.length > 0 ? [listed(texts)] : [];
  const linked = Object.entries(through).map(
    ([column, record]) => `${listed(record.texts)} of the ${nounOf(column.replace(/_id$/, ''))}`,
  );
  return parameter('q', { type: 'string', maxLength: 200 }, `${SEARCH} Searches ${[...own, ...linked].join(', or ')}.`);
}

/** The parameters of the list grammar. */
export function listParameters(schemas: SchemaWriter, grammar: ListQuery): Json[] {
  const { row, filter, filterSchema: schemaOf, through, sort, search, expand, also } = grammar;
  const orders = [...new Set([...sort, 'id'])].flatMap((name) => [name, `-${name}`]);
  return [
    ...['Page', 'PerPage', 'Cursor'].map(shared),
    several('sort', words(orders), 'Sort fields, comma-separated. Prefix a field with `-` for descending order.', {
      maxItems: 4,
    }),
    ...(search ? [searchParameter(grammar)] : []),
    ...(expand.length ? [several('expand', words(expand), 'Related records to add to each record.')] : []),
    several(
      'fields',
      words(Object.keys(row.shape)),
      `Fields to return for each record, comma-separated. ${ALL_FIELDS}`,
    ),
    ...filter.flatMap((name) => filters(schemas, name, schemaOf(name)!)),
    ...through.flatMap(memberships),
    ...fieldParameters(schemas, 'query', also),
  ];
}

/** Returns the description of an ID by the record that it identifies, or nothing. */
function idDescription(name: string, schema: z.ZodType): string | undefined {
  const table = tables.get(schema)?.table;
  if (name === 'id' ? !table : !name.endsWith('_id') && !table) return undefined;
  return `ID of the ${nounOf(name === 'id' && table ? singular(table) : name.replace(/_id$/, ''))}.`;
}

/**
 * The parameters of a path or of an operation that is not a list. Parameters that have no description here get one from
 * `parameters.txt`.
 */
export function fieldParameters(schemas: SchemaWriter, place: 'path' | 'query', fields: Fields): Json[] {
  return Object.entries(fields).map(([name, schema]) => {
    const { description = idDescription(name, schema), ...written } = schemas.write(schema, 'input');
    const isRequired = place === 'path' || !schema.safeParse(undefined).success;
    const parameter = {
      name,
      in: place,
      required: isRequired,
      ...(description !== undefined && { description }),
      schema: written,
    };
    return place === 'query' ? leftOut(parameter) : parameter;
  });
}
