/**
 * References to records of other services. Each column that stores their IDs is declared once, in the service's list.
 * The list rejects references to records that are being deleted, reports use, and shows the auditor where to look.
 */

/** The columns of a table that store IDs of one kind of record, with the place in the column. */
type Columns = string | readonly string[];

/** The part of a declaration that specifies how bodies with such IDs are checked. */
type Checks<Rpc> =
  /** Looks up the records once for a whole body, as the caller. Returns the IDs of the records that may be named. */
  | { usable(rpc: Rpc, ids: string[]): Promise<string[]>; checked_by?: never }
  /** The functions that operations call in `prepare`, because they need more than the existence of the record. */
  | { usable?: never; checked_by: readonly ((...given: never[]) => unknown)[] }
  /** The reason why no body names such records. */
  | { usable?: never; checked_by: string };

interface DeclaredReferences {
  /** The columns by table: `customer_id`, `label_ids[]`, or a path in JSON such as `taxes[].tax_id`. */
  columns: Readonly<Record<string, Columns>>;
  /** The rows of a table that count, as SQL over the row `given`. Defaults to all rows. */
  counted?: Readonly<Record<string, string>>;
  /** The reason why a record can be deleted despite these columns, for example because an event clears them. */
  released?: string;
}

/** The references of a service to one kind of record. */
export type Reference = {
  /** The kind of record, prefixed with the service that owns it: `finance.customer`. */
  noun: string;
} & DeclaredReferences &
  Checks<never>;

/** Declares the columns that store IDs of another service's records. */
export const referencesTo = <Rpc>(
  noun: `${string}.${string}`,
  declared: DeclaredReferences & Checks<Rpc>,
): Reference => ({
  noun,
  ...declared,
});

/** A kind of record that other services refer to. */
export interface OwnedKind {
  noun: string;
  table: string;
  /** The services that store IDs of the record, and are asked before it is deleted. */
  referrers: readonly string[];
  /** The advice in the fault: what to do instead. */
  instead: string;
}

/** Declares a kind of record that other services refer to. The operation that deletes it has `deletes`. */
export const ownedKind = (noun: `${string}.${string}`, declared: Omit<OwnedKind, 'noun'>): OwnedKind => ({
  noun,
  ...declared,
});

/** A place that stores IDs: a column, an array, or a path in JSON. */
export interface ReferenceColumn {
  table: string;
  column: string;
  kind: 'id' | 'ids' | 'json';
  /** The SQL/JSON path of the IDs. */
  path: string;
  /** The condition of the rows that count, over the row `given`. */
  counted: string;
}

/** Returns the places in a declaration. */
export function placesOf({ columns, counted = {} }: Reference): ReferenceColumn[] {
  return Object.entries(columns).flatMap(([table, names]) =>
    [names].flat().map((name): ReferenceColumn => {
      const [, column = '', rest = ''] = /^(\w+)(.*)/.exec(name) ?? [];
      const kind = rest === '' ? 'id' : rest === '[]' ? 'ids' : 'json';
      return { table, column, kind, path: `$${rest.replaceAll('[]', '[*]')}`, counted: counted[table] ?? 'TRUE' };
    }),
  );
}

/** Returns the IDs in a place, as an SQL array over the row `given`. */
export function idsIn({ column, kind, path }: ReferenceColumn): string {
  if (kind === 'id') return `ARRAY[given.${column}]`;
  if (kind === 'ids') return `given.${column}`;
  return `ARRAY(SELECT (named #>> '{}')::uuid FROM jsonb_path_query(given.${column}, '${path}') AS named WHERE jsonb_typeof(named) = 'string' AND named <> '""')`;
}

/** Returns the condition of the rows that refer to a record, over the row `given`. @param id an SQL expression */
export function refersToSql({ column, kind, path }: ReferenceColumn, id: string): string {
  if (kind === 'id') return `given.${column} = ${id}::uuid`;
  if (kind === 'ids') return `${id}::uuid = ANY (given.${column})`;
  return `jsonb_path_exists(given.${column}, '${path} ? (@ == $id)', jsonb_build_object('id', ${id}::text))`;
}

/** Returns the references that block the deletion of their records. */
export const blockingReferences = (references: readonly Reference[]): Reference[] =>
  references.filter(({ released }) => released === undefined);

/**
 * Returns the statements that make the database reject references to records during their deletion:
 * prisma/references.sql.
 */
export function referencesSql(references: readonly Reference[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const lines = blockingReferences(references).flatMap((reference) =>
    placesOf(reference).map(
      (place) =>
        `SELECT suite_refers('${place.table}', '${place.column}', '${reference.noun}', ${quoted(idsIn(place))});`,
    ),
  );
  return [
    '-- Written by "npm run generate" from the declared references to records of other services. Applied after the migrations, again when it changes.',
    'SELECT suite_refers_no_more();',
    ...lines,
    '',
  ].join('\n');
}
