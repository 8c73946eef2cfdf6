/** The list grammar: what a list's query string may say, and what it means. The same on every list. */
import { z } from 'zod';
import { Fault, ValidationFailed } from '../runtime/fault.ts';
import { columnKinds } from './fields.ts';

export type ColumnKind = 'uuid' | 'text' | 'integer' | 'boolean' | 'numeric' | 'timestamptz' | 'date';
export type Operator = 'eq' | 'ne' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'null';

export interface Filter {
  column: string;
  kind: ColumnKind;
  operator: Operator;
  /** One value, or several for `in`. */
  values: (string | number | boolean)[];
}
export interface SortKey {
  column: string;
  kind: ColumnKind;
  nullable: boolean;
  descending: boolean;
}
/** A query string that has been understood. */
export interface ListRequest {
  page: number;
  per_page: number;
  /** The sort values of the last row that the caller has. */
  after: (string | number | boolean | null)[] | undefined;
  sort: SortKey[];
  filters: Filter[];
  q: string | undefined;
  expand: ReadonlySet<string>;
  fields: ReadonlySet<string> | undefined;
  /** The columns of the row schema that lie in the table. */
  columns: string[];
  /** The query string with other values for some parameters: the address of another page. */
  link(changes: Record<string, string>): string;
}
export interface Page {
  rows: object[];
  page: number;
  per_page: number;
  total: number;
  total_is_exact: boolean;
  next_cursor: string | null;
}
/** A list's declared grammar: which of the row's fields it filters and sorts by, and what it can expand. */
export interface ListQuery {
  row: z.ZodObject;
  filter: readonly string[];
  sort: readonly string[];
  search: boolean;
  expand: readonly string[];
  parse(query: Record<string, unknown>): ListRequest;
}

/** Whether a query is a list's, and not fields of its own. */
export const isListQuery = (query: object | undefined): query is ListQuery =>
  query !== undefined && 'parse' in query && typeof query.parse === 'function';

/** What each kind of column can be asked. */
export const OPERATORS: Record<ColumnKind, readonly Operator[]> = {
  uuid: ['eq', 'ne', 'in', 'null'],
  text: ['eq', 'ne', 'in', 'like', 'null'],
  boolean: ['eq', 'ne', 'null'],
  integer: ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'null'],
  numeric: ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'null'],
  timestamptz: ['eq', 'gt', 'gte', 'lt', 'lte', 'null'],
  date: ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'null'],
};
const VALUES: Record<ColumnKind, z.ZodType<string | number | boolean>> = {
  uuid: z.uuid(),
  text: z.string().max(200),
  boolean: z.stringbool({ truthy: ['true'], falsy: ['false'] }),
  integer: z.coerce.number().pipe(z.int()),
  numeric: z.string().regex(/^-?\d{1,15}(\.\d{1,6})?$/),
  timestamptz: z.iso.datetime({ offset: true }),
  date: z.iso.date(),
};
const PER_PAGE = 20;
const PER_PAGE_MAX = 100;
/** Offsets beyond this are as costly as they are useless; cursors go on. */
export const OFFSET_MAX = 10_000;

/** How a field of the row schema is stored, and whether it can be null. */
export function columnOf(schema: z.ZodType): { kind: ColumnKind; nullable: boolean } {
  const registered = columnKinds.get(schema)?.column;
  if (registered) return { kind: registered, nullable: false };
  const { type, innerType, format } = schema.def as { type: string; innerType?: z.ZodType; format?: string };
  if (innerType) return { ...columnOf(innerType), nullable: true };
  if (type === 'boolean') return { kind: 'boolean', nullable: false };
  if (type === 'number' || type === 'int') return { kind: 'integer', nullable: false };
  return { kind: format === 'uuid' || format === 'guid' ? 'uuid' : 'text', nullable: false };
}

const wrong = (parameter: string, message: string) =>
  new Fault(422, ValidationFailed.code, `${parameter}: ${message}`, { errors: { [parameter]: [message] } });

const encodeCursor = (values: readonly unknown[]): string => Buffer.from(JSON.stringify(values)).toString('base64url');

function decodeCursor(text: string, sort: readonly SortKey[]): (string | number | boolean | null)[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    const types = sort.map(({ kind, nullable }) =>
      (kind === 'integer' ? z.int() : kind === 'boolean' ? z.boolean() : VALUES[kind]).or(
        nullable ? z.null() : z.never(),
      ),
    );
    return z.tuple(types as unknown as [z.ZodType<string | number | boolean | null>]).parse(values);
  } catch {
    throw wrong('cursor', 'This cursor does not belong to this list and order.');
  }
}

/** The cursor behind a row: what the next page starts after. */
export const cursorAfter = (row: Record<string, unknown>, sort: readonly SortKey[]): string =>
  encodeCursor(sort.map(({ column }) => row[column] ?? null));

function parseFilter(name: string, operator: string, text: string, column: ReturnType<typeof columnOf>): Filter {
  const parameter = operator === 'eq' ? name : `${name}[${operator}]`;
  const known = OPERATORS[column.kind].find((candidate) => candidate === operator);
  if (!known) throw wrong(parameter, `Use one of: ${OPERATORS[column.kind].join(', ')}.`);
  const type = known === 'null' ? VALUES.boolean : VALUES[column.kind];
  const texts = known === 'in' ? text.split(',') : [text];
  if (texts.length > 100) throw wrong(parameter, 'At most 100 values.');
  const values = texts.map((value) => {
    const parsed = type.safeParse(value);
    if (!parsed.success) throw wrong(parameter, parsed.error.issues[0]?.message ?? 'This value is not valid.');
    return parsed.data;
  });
  return { column: name, kind: column.kind, operator: known, values };
}

function wholeNumber(query: Record<string, unknown>, name: string, otherwise: number, max: number): number {
  if (query[name] === undefined) return otherwise;
  const value = Number(query[name]);
  if (!Number.isInteger(value) || value < 1 || value > max) throw wrong(name, `Use a whole number from 1 to ${max}.`);
  return value;
}

function words(query: Record<string, unknown>, name: string, allowed: readonly string[]): Set<string> | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const chosen = String(text).split(',');
  const unknown = chosen.find((word) => !allowed.includes(word));
  if (unknown !== undefined)
    throw wrong(name, allowed.length ? `Use any of: ${allowed.join(', ')}.` : 'This list has nothing to choose here.');
  return new Set(chosen);
}

/** The grammar of one list, with what its parameters are checked against. */
interface Grammar {
  filter: readonly string[];
  sort: readonly string[];
  order: string;
  search: boolean;
  expand: readonly string[];
  columns: ReadonlyMap<string, ReturnType<typeof columnOf>>;
}

const RESERVED = ['page', 'per_page', 'cursor', 'sort', 'expand', 'fields'];

function parseSort(text: string, { sort, columns }: Grammar): SortKey[] {
  const key = (name: string, descending: boolean): SortKey => ({ column: name, descending, ...columns.get(name)! });
  const keys = text.split(',').map((word) => {
    const name = word.replace(/^-/, '');
    if (name !== 'id' && !sort.includes(name))
      throw wrong('sort', `Use any of: ${sort.join(', ')}; a leading "-" turns the order round.`);
    return key(name, word.startsWith('-'));
  });
  // The order always ends with the id, so that it is total and a cursor is exact.
  return [...keys, key('id', keys.at(-1)!.descending)];
}

function parseFilters(query: Record<string, unknown>, { filter, search, columns }: Grammar): Filter[] {
  const parameters = Object.entries(query).filter(([name]) => !RESERVED.includes(name) && !(name === 'q' && search));
  return parameters.map(([parameter, text]) => {
    const [, name = '', operator = 'eq'] = /^(\w+)(?:\[(\w+)\])?$/.exec(parameter) ?? [];
    if (!filter.includes(name)) throw wrong(parameter, 'This list has no such parameter.');
    if (typeof text !== 'string') throw wrong(parameter, 'Give this parameter once.');
    return parseFilter(name, operator, text, columns.get(name)!);
  });
}

function parseRequest(query: Record<string, unknown>, grammar: Grammar): ListRequest {
  const { expand, order, columns } = grammar;
  const fields = [...columns.keys()];
  const filters = parseFilters(query, grammar);
  const sort = parseSort(String(query['sort'] ?? order), grammar);
  const page = wholeNumber(query, 'page', 1, Number.MAX_SAFE_INTEGER);
  const per_page = wholeNumber(query, 'per_page', PER_PAGE, PER_PAGE_MAX);
  if ((page - 1) * per_page > OFFSET_MAX) throw wrong('page', 'Pages this deep need a cursor: go on with next_cursor.');
  return {
    page,
    per_page,
    sort,
    filters,
    after: query['cursor'] === undefined ? undefined : decodeCursor(String(query['cursor']), sort),
    q: query['q'] === undefined ? undefined : String(query['q']).slice(0, 200),
    expand: words(query, 'expand', expand) ?? new Set<string>(),
    fields: words(query, 'fields', fields),
    columns: fields.filter((name) => !expand.includes(name)),
    link: (changes) => `?${new URLSearchParams({ ...(query as Record<string, string>), ...changes })}`,
  };
}

/**
 * Declares the grammar of a list.
 * @param row the schema of a row; `filter`, `sort` and `expand` name fields of it
 * @param options.order how rows are ordered when nobody asks: newest first, or by the first field of `sort`
 * @param options.search whether `q` searches the table's `search` column
 */
export function list<Shape extends z.ZodRawShape>(
  row: z.ZodObject<Shape>,
  options: {
    filter?: readonly (keyof Shape & string)[];
    sort?: readonly (keyof Shape & string)[];
    order?: string;
    search?: boolean;
    expand?: readonly (keyof Shape & string)[];
  },
): ListQuery {
  const { filter = [], sort = [], search = false, expand = [] } = options;
  const order = options.order ?? (sort.some((name) => name === 'created_at') ? '-created_at' : (sort[0] ?? 'id'));
  const columns = new Map(Object.entries(row.shape).map(([name, schema]) => [name, columnOf(schema as z.ZodType)]));
  const grammar = { filter, sort, order, search, expand, columns };
  return { row, ...grammar, parse: (query) => parseRequest(query, grammar) };
}
