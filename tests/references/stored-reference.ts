/** IDs of other services' records as the databases store them. */
import type { Place } from '@suite/chassis/declarations';
import { idsIn } from '@suite/chassis/declarations';
import type { SharedSuite } from '@suite/testing/suite/started';

/** The IDs that the rows of a workspace store in a place. */
export async function idsAt(
  suite: SharedSuite,
  service: string,
  place: Place,
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

/** The result of writing a reference. Rows of books and of posted documents refuse every change. */
export type Outcome = 'changed' | 'being_deleted' | 'immutable';

/** Refusals of triggers and checks that keep a row, or a combination of columns, as it is. */
const KEPT = new Set(['P0001', '23001', '23514', '42501']);

/** `{ "id": … }` in as many lists as the path of a place says. */
const jsonAt = ({ path }: Place, id: string): string =>
  JSON.stringify(
    (path.match(/\[\*\]|\w+/g) ?? []).reduceRight<unknown>(
      (value, step) => (step === '[*]' ? [value] : { [step]: value }),
      id,
    ),
  );

/** An ID in a place as an SQL value; NULL without one. */
function valueOf(place: Place, id: string | null): string {
  if (id === null) return 'NULL';
  return { id: `'${id}'::uuid`, ids: `ARRAY['${id}'::uuid]`, json: `'${jsonAt(place, id)}'::jsonb` }[place.kind];
}

/** The condition of the rows that store an ID in a place; of those that store nothing, without one. */
function holding({ column, kind }: Place, id: string | null): string {
  if (id === null) return `${column} IS NULL`;
  if (kind === 'id') return `${column} = '${id}'`;
  return kind === 'ids' ? `'${id}' = ANY (${column})` : `position('${id}' IN ${column}::text) > 0`;
}

/** The place with another ID in the place of one. */
function replaced(place: Place, from: string | null, to: string | null): string {
  if (from === null || to === null || place.kind === 'id') return valueOf(place, to);
  return place.kind === 'ids'
    ? `array_replace(${place.column}, '${from}', '${to}')`
    : `replace(${place.column}::text, '${from}', '${to}')::jsonb`;
}

/** Has one row of a workspace store another ID in the place of one, or of nothing. */
export async function setReference(
  suite: SharedSuite,
  service: string,
  workspace_id: string,
  { place, from, to }: { place: Place; from: string | null; to: string | null },
): Promise<Outcome> {
  const { table, column } = place;
  try {
    await suite.sql(
      service,
      `UPDATE ${table} SET ${column} = ${replaced(place, from, to)} WHERE ctid = (
         SELECT ctid FROM ${table} AS given WHERE workspace_id = $1 AND ${holding(place, from)} AND ${place.counted} LIMIT 1)`,
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
