/** The filters of a list: `status=open`, `amount[gte]=10`. Each value is checked against the schema of its field. */
import { z } from 'zod';
import { Fault, ValidationFailed } from '../runtime/fault.ts';
import { columnKinds, Day, Timestamp, innerFields } from '../schema/fields.ts';

export type ColumnKind = 'uuid' | 'text' | 'texts' | 'integer' | 'boolean' | 'numeric' | 'timestamptz' | 'date';
export type Operator = 'eq' | 'ne' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'null';

/** Table that links other records to a row, such as the labels of a lead. */
export interface FilterMembership {
  table: string;
  /** The column that refers to the row. */
  key: string;
  /** Column that the filter compares. */
  column: string;
}
export interface Filter {
  column: string;
  kind: ColumnKind;
  operator: Operator;
  /** One value, or several for `in`. A timestamp can also be a date in the workspace's time zone. */
  values: (string | number | boolean)[];
  /** Set if the filter compares records that are linked to the row. */
  through?: FilterMembership;
}

const OPERATORS: Record<ColumnKind, readonly Operator[]> = {
  uuid: ['eq', 'ne', 'in', 'null'],
  text: ['eq', 'ne', 'in', 'like', 'null'],
  texts: ['eq', 'in'],
  boolean: ['eq', 'ne', 'null'],
  integer: ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'null'],
  numeric: ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'null'],
  timestamptz: ['eq', 'gt', 'gte', 'lt', 'lte', 'null'],
  date: ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'null'],
};
const BOOLEAN = z.stringbool({ truthy: ['true'], falsy: ['false'], error: 'Use true or false.' });
const INTEGER_MAX = 2 ** 31 - 1;
/** The schemas of cursor and filter values as text, by kind of column. */
export const VALUES: Record<ColumnKind, z.ZodType<string | number | boolean>> = {
  uuid: z.uuid(),
  text: z.string().max(200),
  texts: z.string().max(200),
  boolean: BOOLEAN,
  integer: z
    .string()
    .regex(/^-?\d{1,10}$/, 'Enter a whole number.')
    .transform(Number)
    .pipe(z.int().min(-INTEGER_MAX).max(INTEGER_MAX)),
  numeric: z.string().regex(/^-?\d{1,15}(\.\d{1,6})?$/, 'Enter a decimal number such as 1250.00.'),
  timestamptz: z.union(
    [Timestamp, Day],
    'Enter a date such as 2026-11-21, or a timestamp such as 2026-11-21T05:11:37Z.',
  ),
  date: Day,
};
const FILTERS_MAX = 20;
const VALUES_MAX = 100;

/** Returns how a field of the row schema is stored, and whether it can be null. */
export function columnOf(schema: z.ZodType): { kind: ColumnKind; nullable: boolean } {
  const registered = columnKinds.get(schema)?.column;
  if (registered) return { kind: registered, nullable: false };
  const { type, innerType, format } = schema.def as { type: string; innerType?: z.ZodType; format?: string };
  if (innerType) return { ...columnOf(innerType), ...(!innerFields.has(schema) && { nullable: true }) };
  if (type === 'boolean') return { kind: 'boolean', nullable: false };
  if (type === 'array') return { kind: 'texts', nullable: false };
  if (type === 'number' || type === 'int') return { kind: 'integer', nullable: false };
  return { kind: format === 'uuid' || format === 'guid' ? 'uuid' : 'text', nullable: false };
}

/** Returns the schema of a field without optional and nullable. */
const unwrap = (schema: z.ZodType): z.ZodType => {
  const { innerType } = schema.def as { innerType?: z.ZodType };
  return innerType ? unwrap(innerType) : schema;
};

const isClosed = (schema: z.ZodType): boolean => ['enum', 'literal'].includes(unwrap(schema).def.type);

/**
 * Returns the operators of a field. A closed list of values has no `like`, because a part of a value is not a value.
 */
export function operatorsOf(schema: z.ZodType): readonly Operator[] {
  const operators = OPERATORS[columnOf(schema).kind];
  return isClosed(schema) ? operators.filter((operator) => operator !== 'like') : operators;
}

/** Returns the schema of the values that a filter compares with the field. */
function comparable(schema: z.ZodType): z.ZodType<string | number | boolean> {
  const { kind } = columnOf(schema);
  const isOwnCheck = kind === 'text' && (isClosed(schema) || unwrap(schema).def.type === 'string');
  return isOwnCheck ? (VALUES.text.pipe(unwrap(schema) as never) as z.ZodType<string>) : VALUES[kind];
}

/** Returns the 422 that names a query parameter. */
export const invalidParameter = (parameter: string, message: string) =>
  new Fault(422, ValidationFailed.code, `${parameter}: ${message}`, { errors: { [parameter]: [message] } });

/** A filter field of a list, with the schema of its values. */
export interface FilterField {
  kind: ColumnKind;
  operators: readonly Operator[];
  value: z.ZodType<string | number | boolean>;
  through?: FilterMembership;
}

/** Returns a filter by a field of the row. */
export const filterField = (schema: z.ZodType): FilterField => ({
  kind: columnOf(schema).kind,
  operators: operatorsOf(schema),
  value: comparable(schema),
});

/** Returns a filter by the ID of a related record. */
export const filterThrough = (through: FilterMembership): FilterField => ({
  kind: 'uuid',
  operators: ['eq', 'in'],
  value: VALUES.uuid,
  through,
});

function parseFilter(parameter: string, operator: string, name: string, text: string, field: FilterField): Filter {
  const { kind, operators, through } = field;
  const known = operators.find((candidate) => candidate === operator);
  if (!known) throw invalidParameter(parameter, `Use one of these operators: ${operators.join(', ')}.`);
  const type = known === 'null' ? BOOLEAN : known === 'like' ? VALUES.text : field.value;
  const texts = known === 'in' ? text.split(',', VALUES_MAX + 1) : [text];
  if (texts.length > VALUES_MAX) throw invalidParameter(parameter, `Enter at most ${VALUES_MAX} values.`);
  const values = texts.map((value) => {
    const parsed = type.safeParse(value);
    if (!parsed.success)
      throw invalidParameter(parameter, parsed.error.issues[0]?.message ?? 'This value is not valid.');
    return parsed.data;
  });
  return { column: name, kind, operator: known, values, ...(through && { through }) };
}

/** Parses the filters of a query string. Each parameter can occur once. */
export function parseFilters(query: Record<string, string>, fields: ReadonlyMap<string, FilterField>): Filter[] {
  const parameters = Object.entries(query);
  if (parameters.length > FILTERS_MAX)
    throw invalidParameter(parameters.at(-1)![0], `Use at most ${FILTERS_MAX} filters.`);
  return parameters.map(([parameter, text]) => {
    const [, name = '', operator = 'eq'] = /^(\w+)(?:\[(\w+)\])?$/.exec(parameter) ?? [];
    const field = fields.get(name);
    if (!field) throw invalidParameter(parameter, 'Unknown parameter. Remove it.');
    return parseFilter(parameter, operator, name, text, field);
  });
}
