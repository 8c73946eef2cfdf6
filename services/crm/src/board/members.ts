/** Members of a lead or a deal: labels, sources, colleagues, clients. Adding one twice has the effect of adding it once. */
import { assertUnused, invalid, NotFound, remove, sql } from '@suite/chassis';
import type { RecordKind } from './board.ts';
import type { Db } from '../operations.ts';
import { columnNamed, tableNamed } from '../tables.ts';

/** The kind of a member, in the singular: a lead's labels are in `lead_labels`, with the columns `lead_id` and `label_id`. */
export type Member = 'label' | 'source' | 'user' | 'client';

/** Members by the names that bodies give them. */
export type MemberIds = { [M in `${Member}_ids`]?: readonly string[] | undefined };

/** The table that says which members there are. */
export const catalogueOf = (member: Member) => (member === 'client' ? 'users' : (`${member}s` as const));

/** The table that says which members a record has. Leads have no clients. */
type MembersTable = Exclude<`${RecordKind}_${Member}s`, 'lead_clients'>;

const namesOf = (kind: RecordKind, member: Member) => ({
  table: tableNamed(`${kind}_${member}s` as MembersTable),
  subject: columnNamed(`${kind}_id`),
  column: columnNamed(`${member}_id`),
  catalogue: tableNamed(catalogueOf(member)),
});

interface Place {
  id: string;
  /** Labels of other pipelines do not fit. */
  pipeline_id: string;
}

const given = (members: MemberIds) =>
  Object.entries(members)
    .filter((entry): entry is [string, readonly string[]] => entry[1] !== undefined)
    .map(([field, ids]) => ({ field, ids, member: field.slice(0, -'_ids'.length) as Member }));

/**
 * Puts members on a record. Returns those that were not there before.
 * @throws a 422 that names the field, for members that do not exist, and for labels of another pipeline
 */
export async function assign(
  db: Db,
  kind: RecordKind,
  { id, pipeline_id }: Place,
  members: MemberIds,
): Promise<string[]> {
  const added: string[] = [];
  for (const { field, ids, member } of given(members).filter((entry) => entry.ids.length > 0)) {
    const { table, subject, column, catalogue } = namesOf(kind, member);
    const fits = member === 'label' ? sql`pipeline_id IS NULL OR pipeline_id = ${pipeline_id}::uuid` : sql`TRUE`;
    const known = await db.rows(sql`SELECT FROM ${catalogue} WHERE id = ANY(${ids}::uuid[]) AND (${fits})`);
    if (known.length < new Set(ids).size) throw invalid(field, `This ${member} does not exist. Choose another one.`);
    const rows = await db.rows<{ id: string }>(sql`
      INSERT INTO ${table} (${subject}, ${column}) SELECT ${id}::uuid, id FROM unnest(${ids}::uuid[]) AS id
      ON CONFLICT DO NOTHING RETURNING ${column} AS id`);
    added.push(...rows.map((row) => row.id));
  }
  return added;
}

/** Leaves exactly these members on a record; kinds of members that are not named stay as they are. */
export async function reassign(db: Db, kind: RecordKind, place: Place, members: MemberIds): Promise<void> {
  for (const { ids, member } of given(members)) {
    const { table, subject, column } = namesOf(kind, member);
    await db.rows(sql`
      DELETE FROM ${table} WHERE ${subject} = ${place.id}::uuid AND ${column} <> ALL(${ids}::uuid[])`);
  }
  await assign(db, kind, place, members);
}

/** Takes a member off a record. Returns whether it was there. */
export async function unassign(
  db: Db,
  kind: RecordKind,
  id: string,
  member: Member,
  member_id: string,
): Promise<boolean> {
  const { table, subject, column } = namesOf(kind, member);
  const removed = await db.rows(sql`
    DELETE FROM ${table} WHERE ${subject} = ${id}::uuid AND ${column} = ${member_id}::uuid RETURNING ${column}`);
  return removed.length > 0;
}

/** Takes off a record the labels of other pipelines than the one that it is in now. */
export async function dropForeignLabels(db: Db, kind: RecordKind, id: string, pipeline_id: string): Promise<void> {
  const { table, subject } = namesOf(kind, 'label');
  await db.rows(sql`
    DELETE FROM ${table} USING labels
    WHERE labels.id = label_id AND ${subject} = ${id}::uuid AND labels.pipeline_id <> ${pipeline_id}::uuid`);
}

/** The columns of a member that records show. */
const shown = { label: sql`name, color`, source: sql`name`, user: sql`name, kind`, client: sql`name, kind` };

/** The members of several records, for `many`. */
export const membersOf =
  (db: Db, kind: RecordKind, member: Member) =>
  (ids: string[]): Promise<object[]> => {
    const { table, subject, column, catalogue } = namesOf(kind, member);
    return db.rows(sql`
      SELECT ${subject}, id, ${shown[member]} FROM ${table} JOIN ${catalogue} ON id = ${column}
      WHERE ${subject} = ANY(${ids}::uuid[]) ORDER BY name, id`);
  };

/**
 * Deletes a label or a source that is on no lead and on no deal. It is locked first, so that nobody adds it to one meanwhile.
 * Chosen: one that is in use stays, since taking it off everything at once cannot be undone.
 * @throws NotFound, InUse
 */
export async function removeUnused(db: Db, noun: 'label' | 'source', id: string): Promise<{ id: string }> {
  const [held] = await db.rows(sql`SELECT id FROM ${tableNamed(`${noun}s`)} WHERE id = ${id}::uuid FOR UPDATE`);
  if (!held) throw NotFound();
  const uses = (kind: RecordKind) =>
    sql`(SELECT count(*)::int FROM ${tableNamed(`${kind}_${noun}s`)} WHERE ${columnNamed(`${noun}_id`)} = ${id}::uuid)`;
  await assertUnused(async () => {
    const [used] = await db.rows<{ leads: number; deals: number }>(
      sql`SELECT ${uses('lead')} AS leads, ${uses('deal')} AS deals`,
    );
    return used!;
  });
  return await remove(noun === 'label' ? db.label : (db.source as never), id);
}
