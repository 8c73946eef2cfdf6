/**
 * Copies of other services' records. The owner declares what it publishes of a kind of record, and each service declares
 * the columns with its copies. The auditor compares both sides, so a new copy needs no rule of its own.
 */

/** Values of a record by field, in JSON. */
export type PublishedValues = Readonly<Record<string, string | boolean | null>>;

/** The fields of a kind of record that other services may store. SQL expressions are over the row `given`. */
export interface PublishedKind {
  noun: string;
  table: string;
  /** Column with the ID. Defaults to `id`. */
  id?: string;
  /** SQL expressions by field. */
  fields: Readonly<Record<string, string>>;
  /** Condition of the records that no longer count. Their copies have the values of `gone`. */
  ended?: string;
  /** Values in the copy of a record that has ended or does not exist. */
  gone?: PublishedValues;
  /** Condition of the records that no event has announced yet. Their copies are not compared. */
  unannounced?: string;
}

/** Declares what a service publishes of its records. */
export const publishedKind = (noun: `${string}.${string}`, declared: Omit<PublishedKind, 'noun'>): PublishedKind => ({
  noun,
  ...declared,
});

/** The copies of a kind of record in a table. */
export interface CopiedKind {
  /** The kind of record, prefixed with the service that owns it: `platform.user`. */
  noun: string;
  table: string;
  /** Column with the ID of the copied record. */
  id: string;
  /** Columns of the copy by published field. */
  columns: Readonly<Record<string, string>>;
  /**
   * Columns with the position or version that the copy reflects. A repaired copy gets 0 there, so that any later event
   * applies.
   */
  positions: readonly string[];
  /** True if every record has a copy. */
  is_complete: boolean;
  /** The rows that count, as SQL over the row `given`. Defaults to all rows. */
  counted?: string;
  /** True if a record can be deleted while it has a copy. The auditor then ignores copies without a record. */
  outlives_record?: boolean;
  /**
   * True if requests write the copy, from the owner's response. The response can be older than an event that the service
   * has processed since. The database then replaces the copy with the newest known state (record-copies.ts).
   */
  written_by_requests?: boolean;
}

/** Declares the columns that store copies of another service's records. */
export const copyOf = (noun: `${string}.${string}`, declared: Omit<CopiedKind, 'noun'>): CopiedKind => ({
  noun,
  ...declared,
});

/** Returns the column with the workspace of a row. A row of `workspaces` is the workspace itself. */
export const workspaceColumnOf = (table: string): string => (table === 'workspaces' ? 'id' : 'workspace_id');

const objectOf = (fields: readonly (readonly [string, string])[]): string =>
  `jsonb_build_object(${fields.map(([field, value]) => `'${field}', ${value}`).join(', ')})`;

/** Returns the fields of a copy as a JSON object, over the row `given`. */
export const copyValueSql = ({ columns }: Pick<CopiedKind, 'columns'>): string =>
  objectOf(Object.entries(columns).map(([field, column]) => [field, `given.${column}`]));

/** Returns the published fields in copies, each once. */
export const fieldsIn = (copies: readonly CopiedKind[]): string[] => [
  ...new Set(copies.flatMap(({ columns }) => Object.keys(columns))),
];

/** The table with the newest known states of records whose copies requests write. */
export const KNOWN_RECORDS = 'known_records';

/** Returns the newest known states of records that requests of a service copy, as copies of these records. */
export function knownStates(copies: readonly CopiedKind[]): CopiedKind[] {
  const written = Map.groupBy(
    copies.filter(({ written_by_requests }) => written_by_requests),
    ({ noun }) => noun,
  );
  return [...written].map(([noun, kinds]) => ({
    noun,
    table: KNOWN_RECORDS,
    id: 'record_id',
    columns: Object.fromEntries(fieldsIn(kinds).map((field) => [field, `fields ->> '${field}'`])),
    positions: [],
    is_complete: false,
    counted: `given.noun = '${noun}'`,
    outlives_record: true,
  }));
}

/** Returns the statements that make copies follow the newest known states: a part of prisma/references.sql. */
export function copyTriggersSql(copies: readonly CopiedKind[]): string {
  const lines = copies
    .filter(({ written_by_requests }) => written_by_requests)
    .map(({ table, id, noun, columns }) => {
      const copied = Object.fromEntries(Object.entries(columns).map(([field, column]) => [column, field]));
      return `SELECT suite_copies('${table}', '${id}', '${noun}', '${JSON.stringify(copied)}');`;
    });
  return ['SELECT suite_copies_no_more();', ...lines, ''].join('\n');
}

/**
 * Returns the query for the copies: `workspace_id`, the `key` of the record and its fields as `value`, once for identical
 * copies.
 */
export const copiesSql = ({ table, id, columns, counted = 'TRUE' }: CopiedKind): string => `
  SELECT DISTINCT given.${workspaceColumnOf(table)} AS workspace_id, given.${id}::text AS key, ${copyValueSql({ columns })} AS value
  FROM ${table} AS given WHERE given.${id} IS NOT NULL AND ${counted}`;

/**
 * Returns the query for the records that copies reflect: `workspace_id`, `key`, the fields of the copy as `value`, and
 * `state`: current, ended or unannounced.
 * @throws if the owner does not publish a field of the copy
 */
export function originalsSql(published: PublishedKind, copied: CopiedKind): string {
  const { table, id = 'id', fields, ended = 'FALSE', unannounced = 'FALSE' } = published;
  const shown = Object.keys(copied.columns).map((field) => {
    const expression = fields[field];
    if (expression === undefined)
      throw new Error(`${copied.noun} does not publish "${field}", which ${copied.table} copies.`);
    return [field, expression] as const;
  });
  return `
    SELECT given.${workspaceColumnOf(table)} AS workspace_id, given.${id}::text AS key, ${objectOf(shown)} AS value,
      CASE WHEN ${unannounced} THEN 'unannounced' WHEN ${ended} THEN 'ended' ELSE 'current' END AS state
    FROM ${table} AS given`;
}
