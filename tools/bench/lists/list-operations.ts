/** The list operations of the API, and the requests that measure one: pages, search, each sort and each filter. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Parameter {
  name: string;
  schema?: { type?: string; enum?: unknown[]; items?: { enum?: string[] } };
}

/** A list operation without parameters in its path. */
export interface ListOperation {
  id: string;
  path: string;
  parameters: Parameter[];
}

/** A request of a list. */
export interface Cell {
  list: string;
  /** Name of the request: `page 1`, `deep page`, `cursor`, `q`, `sort -created_at`, `filter status`. */
  name: string;
  url: string;
}

type Row = Record<string, unknown>;

const DOCUMENT = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url));
/** Parameters of every list that are not filters. */
const GENERAL = new Set(['page', 'per_page', 'cursor', 'sort', 'q', 'expand', 'fields', 'timezone', 'format']);
const PER_PAGE = 20;

/** Reads the list operations from the OpenAPI document. */
export function readListOperations(): ListOperation[] {
  const document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
    paths: Record<string, { get?: { operationId: string; parameters?: Array<Parameter & { $ref?: string }> } }>;
    components: { parameters: Record<string, Parameter> };
  };
  const resolve = ({ $ref, ...parameter }: Parameter & { $ref?: string }): Parameter =>
    $ref ? document.components.parameters[String($ref.split('/').at(-1))]! : parameter;
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    const parameters = (get?.parameters ?? []).map(resolve);
    const isList = get && !path.includes('{') && parameters.some(({ name }) => name === 'per_page');
    return isList ? [{ id: get.operationId, path, parameters }] : [];
  });
}

/** Returns a filter value that some rows have: from the first row, or else the first allowed value. */
function filterValue({ name, schema }: Parameter, row: Row | undefined): string | undefined {
  const found = row?.[name];
  if (typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean') return String(found);
  const allowed = schema?.enum?.[0] ?? schema?.items?.enum?.[0] ?? (schema?.type === 'boolean' ? true : undefined);
  return allowed === undefined ? undefined : String(allowed);
}

/** Returns the texts of a row and of its expanded records that a search may find. */
const textsOf = (row: object): string[] =>
  Object.entries(row).flatMap(([key, value]: [string, unknown]) => {
    if (value && typeof value === 'object' && !Array.isArray(value)) return textsOf(value);
    return typeof value === 'string' && /name|subject|title|description/.test(key) ? [value] : [];
  });

/** Returns a word of the first row that a search may find. */
const wordOf = (row: Row | undefined): string =>
  textsOf(row ?? {}).flatMap((text) => /\p{L}{3,}/u.exec(text) ?? [])[0] ?? 'demo';

/** The parts of a list's first page that further requests depend on. */
export interface FirstPage {
  data: Row[];
  meta?: { total?: number; next_cursor?: string | null };
}

/** Returns the URL of a page of a list. */
const pageUrl = ({ path }: ListOperation, query: Record<string, string>): string =>
  `${path}?${new URLSearchParams({ per_page: String(PER_PAGE), ...query })}`;

/** Returns the values that a parameter of a list allows. */
const allowedValues = ({ parameters }: ListOperation, parameter: string): readonly string[] =>
  parameters.find(({ name }) => name === parameter)?.schema?.items?.enum ?? [];

/**
 * Returns the URLs of a list's first page: with all expansions, whose names are words that a search may find, and without.
 * An expansion may show encrypted values, which cannot be decrypted in copied rows.
 */
export function firstPagesOf(list: ListOperation): { expanded: string; plain: string } {
  const expansions = allowedValues(list, 'expand');
  const plain = pageUrl(list, {});
  return { expanded: expansions.length > 0 ? pageUrl(list, { expand: expansions.join(',') }) : plain, plain };
}

/** Returns the requests of a list. */
export function cellsOf(list: ListOperation, { data, meta }: FirstPage): Cell[] {
  const { id, parameters } = list;
  const names = new Set(parameters.map(({ name }) => name));
  const cell = (name: string, query: Record<string, string>): Cell => ({
    list: id,
    name,
    url: pageUrl(list, query),
  });
  const last = Math.floor((meta?.total ?? 0) / PER_PAGE);
  const filters = parameters.filter(({ name }) => !GENERAL.has(name) && !name.includes('['));
  return [
    cell('page 1', {}),
    ...(last > 1 && names.has('page') ? [cell('deep page', { page: String(Math.min(last, 496)) })] : []),
    ...(meta?.next_cursor ? [cell('cursor', { cursor: meta.next_cursor })] : []),
    ...(names.has('q') ? [cell('q', { q: wordOf(data[0]) })] : []),
    ...allowedValues(list, 'sort').map((sort) => cell(`sort ${sort}`, { sort })),
    ...filters.flatMap((filter) => {
      const value = filterValue(filter, data[0]);
      return value === undefined ? [] : [cell(`filter ${filter.name}`, { [filter.name]: value })];
    }),
  ];
}
