/** IDs of other services' records as the databases store them. */
import type { ReferenceColumn } from '@suite/chassis/declarations';
import { idsIn } from '@suite/chassis/declarations';
import type { SharedSuite } from '@suite/testing/suite/started';

/** Returns the IDs that the rows of a workspace store in a place. */
export async function idsAt(
  suite: SharedSuite,
  service: string,
  place: ReferenceColumn,
  workspace_id: string,
): Promise<string[]> {
  const rows = await suite.sql<{ id: string }>(
    service,
    `SELECT named AS id FROM ${place.table} AS given CROSS JOIN LATERAL unnest(${idsIn(place)}) AS named
     WHERE given.workspace_id = $1 AND named IS NOT NULL AND ${place.counted}`,
    [workspace_id],
  );
  return rows.map(({ id }) => id);
}

/** The result of writing a reference. Rows of the ledger and of posted documents reject every change. */
export type Outcome = 'changed' | 'being_deleted' | 'immutable';

/** Error codes of triggers and checks that protect a row or a combination of columns. */
const KEPT = new Set(['P0001', '23001', '23514', '42501']);

/** Returns `{ "id": … }` within the lists that the path of a place names. */
const jsonAt = ({ path }: ReferenceColumn, id: string): string =>
  JSON.stringify(
    (path.match(/\[\*\]|\w+/g) ?? []).reduceRight<unknown>(
      (value, step) => (step === '[*]' ? [value] : { [step]: value }),
      id,
    ),
  );

/** Returns an ID in a place as an SQL value, or NULL without an ID. */
function valueOf(place: ReferenceColumn, id: string | null): string {
  if (id === null) return 'NULL';
  return { id: `'${id}'::uuid`, ids: `ARRAY['${id}'::uuid]`, json: `'${jsonAt(place, id)}'::jsonb` }[place.kind];
}

/** Returns the condition for rows that store an ID in a place. Without an ID, for rows that store nothing there. */
function refersToSql({ column, kind }: ReferenceColumn, id: string | null): string {
  if (id === null) return `${column} IS NULL`;
  if (kind === 'id') return `${column} = '${id}'`;
  return kind === 'ids' ? `'${id}' = ANY (${column})` : `position('${id}' IN ${column}::text) > 0`;
}

/** Returns SQL that replaces an ID in a place. */
function replaceIdSql(place: ReferenceColumn, from: string | null, to: string | null): string {
  if (from === null || to === null || place.kind === 'id') return valueOf(place, to);
  return place.kind === 'ids'
    ? `array_replace(${place.column}, '${from}', '${to}')`
    : `replace(${place.column}::text, '${from}', '${to}')::jsonb`;
}

/** Updates one row of a workspace: replaces an ID in a place, or sets the first one. */
export async function setReference(
  suite: SharedSuite,
  service: string,
  workspace_id: string,
  { place, from, to }: { place: ReferenceColumn; from: string | null; to: string | null },
): Promise<Outcome> {
  const { table, column } = place;
  try {
    await suite.sql(
      service,
      `UPDATE ${table} SET ${column} = ${replaceIdSql(place, from, to)} WHERE ctid = (
         SELECT ctid FROM ${table} AS given WHERE workspace_id = $1 AND ${refersToSql(place, from)} AND ${place.counted} LIMIT 1)`,
      [workspace_id],
    );
    return 'changed';
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (code === 'SUDEL') return 'being_deleted';
    if (KEPT.has(code)) return 'immutable';
    throw error;
  }
}
