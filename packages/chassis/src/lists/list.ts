/** The list grammar: the query parameters of lists and their meaning, the same for every list. */
import type { z } from 'zod';
import { type Choice, expansions, parseChoice } from './choice.ts';
import { decodeCursor, digestOf, encodeCursor, type CursorPosition, RANK, type SortKey } from './list-cursor.ts';
import {
  columnOf,
  type Filter,
  type FilterField,
  filterField,
  filterThrough,
  type FilterMembership,
  parseFilters,
  invalidParameter,
} from './list-filter.ts';

/** The texts that `q` searches in a list whose table has no `search` column. */
export interface SearchedTexts {
  /** Columns of the table, in the order of its search index. */
  texts?: readonly string[];
  /** References to searched records, by the column with their ID. */
  through?: Readonly<Record<string, SearchedRecord>>;
}
/** A record that is searched by some of its texts. Its table is searchable. */
export interface SearchedRecord {
  table: string;
  texts: readonly string[];
}

/** A parsed query string. */
export interface ListRequest<Also = Readonly<Record<string, unknown>>> extends Choice {
  /** The schema of a row of the list. */
  row: z.ZodObject;
  /** Parameters of the list in addition to the standard ones. */
  also: Also;
  page: number;
  per_page: number;
  /** The sort values of the last row on the previous page. Undefined for the first page. */
  after: CursorPosition['after'] | undefined;
  /** Number of rows when the reading with this cursor began. */
  counted: number | undefined;
  sort: SortKey[];
  filters: Filter[];
  q: string | undefined;
  /** The texts that `q` searches, if the table has no `search` column. */
  searched: SearchedTexts | undefined;
  /** Columns of the row schema that exist in the table. */
  columns: string[];
  /** Returns the query string of another page, with changes to some parameters. */
  link(changes: Record<string, string | undefined>): string;
  /** Returns the cursor after a row, valid only for the same query. @param counted number of rows */
  cursorAfter(row: Record<string, unknown>, counted: number): string;
}
export interface Page {
  rows: object[];
  page: number;
  per_page: number;
  total: number;
  total_is_exact: boolean;
  next_cursor: string | null;
  /** Totals over all rows of the list. */
  sums?: object;
}
type Fields = Readonly<Record<string, z.ZodType>>;
/** The declared grammar of a list: its filter fields, sort fields and expansions. */
export interface ListQuery<Also extends Fields = Fields> {
  row: z.ZodObject;
  filter: readonly string[];
  /** Returns the schema of a filter's values. */
  filterSchema(name: string): z.ZodType | undefined;
  /** Filters by the ID of a related record. */
  through: readonly string[];
  sort: readonly string[];
  search: boolean;
  searched: SearchedTexts | undefined;
  expand: readonly string[];
  /** Parameters of the list in addition to the standard ones. */
  also: Also;
  /** @param list the requested list. Its cursors are not valid for other lists */
  parse(query: Record<string, string>, list?: string): ListRequest<{ [Name in keyof Also]: z.output<Also[Name]> }>;
}

/** Returns true if a query is a list query, and not an object of other fields. */
export const isListQuery = (query: object | undefined): query is ListQuery =>
  query !== undefined && 'parse' in query && typeof query.parse === 'function';

const PER_PAGE = 20;
const PER_PAGE_MAX = 100;
const SORT_MAX = 4;
const SEARCH_MAX = 200;
const SEARCH_WORDS_MAX = 20;
/** Default order of search results: the best match first. */
const BY_RANK: SortKey[] = [
  { column: RANK, descending: true, kind: 'numeric', nullable: false },
  { column: 'id', descending: true, kind: 'uuid', nullable: false },
];
/** Highest offset. Larger offsets are costly and useless. Cursors have no such limit. */
export const OFFSET_MAX = 10_000;

function wholeNumber(text: string | undefined, name: string, otherwise: number, max: number): number {
  if (text === undefined) return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw invalidParameter(name, `Use a whole number from 1 to ${max}.`);
  return value;
}

/** The grammar of one list, with the schemas of its parameters. */
interface Grammar {
  filters: ReadonlyMap<string, FilterField>;
  sort: readonly string[];
  order: string;
  search: boolean;
  searched: SearchedTexts | undefined;
  ranked: boolean;
  expand: readonly string[];
  also: Fields;
  columns: ReadonlyMap<string, ReturnType<typeof columnOf>>;
  row: z.ZodObject;
}

/** Reads the additional parameters of a list. @returns the additional parameters, and the rest of the query */
function parseAdditional(query: Record<string, string>, also: Fields) {
  const names = Object.keys(also);
  const others = Object.entries(query).filter(([name]) => !names.includes(name));
  const given = names.map((name) => {
    const parsed = also[name]!.safeParse(query[name]);
    if (!parsed.success) throw invalidParameter(name, parsed.error.issues[0]?.message ?? 'This value is not valid.');
    return [name, parsed.data] as const;
  });
  return { also: Object.fromEntries(given), rest: Object.fromEntries(others) };
}

function parseSort(text: string, { sort, columns }: Grammar): SortKey[] {
  const words = text.split(',', SORT_MAX + 1);
  if (words.length > SORT_MAX) throw invalidParameter('sort', `Sort by at most ${SORT_MAX} fields.`);
  const keys = words.map((word) => {
    const name = word.replace(/^-/, '');
    if (name !== 'id' && !sort.includes(name))
      throw invalidParameter('sort', `Use any of: ${sort.join(', ')}. A leading "-" sorts in descending order.`);
    return { column: name, descending: word.startsWith('-'), ...columns.get(name)! };
  });
  if (new Set(keys.map(({ column }) => column)).size < keys.length)
    throw invalidParameter('sort', 'Enter each field only once.');
  // The order always ends with the ID, so that it is total and a cursor is exact. Keys after the ID have no effect.
  const end = keys.findIndex(({ column }) => column === 'id');
  if (end >= 0) return keys.slice(0, end + 1);
  return [...keys, { column: 'id', descending: keys.at(-1)!.descending, ...columns.get('id')! }];
}

function parseSearch(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (text.length > SEARCH_MAX) throw invalidParameter('q', `Enter at most ${SEARCH_MAX} characters.`);
  if (text.trim().split(/\s+/).length > SEARCH_WORDS_MAX)
    throw invalidParameter('q', `Search for at most ${SEARCH_WORDS_MAX} words.`);
  return text;
}

/** Returns the URL of the same query with other parameters. */
const linkOf = (query: Record<string, string>, changes: Record<string, string | undefined>): string => {
  const changed = Object.entries({ ...query, ...changes }).filter(([, value]) => value !== undefined);
  return `?${new URLSearchParams(changed as [string, string][])}`;
};

function parseRequest(query: Record<string, string>, grammar: Grammar, list: string): ListRequest {
  const { expand: expandable, order, columns, search } = grammar;
  const { also, rest: general } = parseAdditional(query, grammar.also);
  const { page: at, per_page: size, cursor, sort: by, expand, fields, q, ...rest } = general;
  const names = [...columns.keys()];
  const filters = parseFilters(search || q === undefined ? rest : { q, ...rest }, grammar.filters);
  const sort = q && by === undefined && grammar.ranked ? BY_RANK : parseSort(by ?? order, grammar);
  const page = wholeNumber(at, 'page', 1, Number.MAX_SAFE_INTEGER);
  const per_page = wholeNumber(size, 'per_page', PER_PAGE, PER_PAGE_MAX);
  if ((page - 1) * per_page > OFFSET_MAX)
    throw invalidParameter('page', 'Use `cursor` for pages this far from the start: send `meta.next_cursor`.');
  if (cursor !== undefined && page > 1) throw invalidParameter('page', 'Use either `cursor` or `page`, not both.');
  const order_by = sort.map(({ column, descending }) => [column, descending]);
  const question = [list, filters, q ?? '', order_by, ...(Object.keys(also).length > 0 ? [also] : [])];
  let digest: string | undefined;
  const bound = () => (digest ??= digestOf(question));
  const place = cursor === undefined ? undefined : decodeCursor(cursor, sort, bound());
  return {
    row: grammar.row,
    also,
    page,
    per_page,
    sort,
    filters,
    after: place?.after,
    counted: place?.counted,
    q: parseSearch(q),
    searched: grammar.searched,
    ...parseChoice({ fields, expand }, { fields: names, expand: expandable }),
    columns: names.filter((name) => !expandable.includes(name)),
    link: (changes) => linkOf(query, changes),
    cursorAfter: (row, counted) => encodeCursor(row, { sort, digest: bound(), counted }),
  };
}

/** The filters of every list, so that clients can keep a copy up to date. */
const COMMON_FILTERS = ['id', 'updated_at'];

/**
 * Declares the parameters of a list. The list always filters by `id` and `updated_at`.
 * @param row schema of a row. `filter`, `sort` and `expand` name its fields
 * @param options.values values that a filter accepts, if they are fewer than the values of its field
 * @param options.through filters by linked records, by name: `label_id`
 * @param options.order default order. Defaults to newest first, or to the first field of `sort`
 * @param options.also additional parameters of the list by name, with schemas that accept a text or nothing: `as_of`
 * @param options.search whether `q` searches the table's `search` column, or the texts that it searches. `ranked` shows
 * the best match first
 */
export function list<
  Shape extends z.ZodRawShape & Record<'id' | 'updated_at', z.ZodType>,
  const Also extends Fields = Record<never, never>,
>(
  row: z.ZodObject<Shape>,
  options: {
    filter?: readonly (keyof Shape & string)[];
    values?: { [Name in keyof Shape & string]?: z.ZodType };
    through?: Record<string, FilterMembership>;
    sort?: readonly (keyof Shape & string)[];
    order?: string;
    search?: boolean | 'ranked' | SearchedTexts;
    expand?: readonly (keyof Shape & string)[];
    also?: Also;
  },
): ListQuery<Also> {
  const { through = {}, sort = [], expand = [], also = {} as Also } = options;
  const search = Boolean(options.search);
  const ranked = options.search === 'ranked';
  const searched = typeof options.search === 'object' ? options.search : undefined;
  const filter = [...new Set([...COMMON_FILTERS, ...(options.filter ?? [])])];
  const order = options.order ?? (sort.some((name) => name === 'created_at') ? '-created_at' : (sort[0] ?? 'id'));
  const shape: Record<string, z.ZodType> = row.shape as never;
  const filterSchema = (name: string) => options.values?.[name] ?? shape[name];
  const columns = new Map(Object.entries(shape).map(([name, schema]) => [name, columnOf(schema)]));
  const filters = new Map([
    ...filter.map((name) => [name, filterField(filterSchema(name)!)] as const),
    ...Object.entries(through).map(([name, membership]) => [name, filterThrough(membership)] as const),
  ]);
  for (const name of expand) expansions.add(shape[name]!, { on_demand: false });
  const grammar = { row, filters, sort, order, search, searched, ranked, expand, also, columns };
  const declared = { row, filter, filterSchema, through: Object.keys(through), sort, search, searched, expand, also };
  return { ...declared, parse: (query, of = '') => parseRequest(query, grammar, of) as never };
}
