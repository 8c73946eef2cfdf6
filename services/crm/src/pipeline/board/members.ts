/** Members of a lead or a deal: labels, sources, users and clients. Adding a member twice has no further effect. */
import { remove, sql } from '@suite/chassis/database';
import { NotFound, unknownRecord } from '@suite/chassis/faults';
import { assertUnused } from '@suite/chassis/lists';
import type { RecordKind } from './board.ts';
import { columnNamed, type Db, tableNamed } from '../../operations.ts';

/**
 * Kind of a member, in the singular. A lead's labels are in `lead_labels`, with the columns `lead_id` and `label_id`.
 */
export type CardMember = 'label' | 'source' | 'user' | 'client';

/** Members by their field names in the request body. */
export type MemberIds = { [M in `${CardMember}_ids`]?: readonly string[] | undefined };

/** Returns the table that contains all possible members of a kind. */
export const catalogueOf = (member: CardMember) => (member === 'client' ? 'users' : (`${member}s` as const));

/** Join table of records and members. Leads have no clients. */
type MembersTable = Exclude<`${RecordKind}_${CardMember}s`, 'lead_clients'>;

const namesOf = (kind: RecordKind, member: CardMember) => ({
  table: tableNamed(`${kind}_${member}s` as MembersTable),
  subject: columnNamed(`${kind}_id`),
  column: columnNamed(`${member}_id`),
  catalogue: tableNamed(catalogueOf(member)),
});

interface LabelledRecord {
  id: string;
  /** Pipeline of the record. Labels of other pipelines are rejected. */
  pipeline_id: string;
}

const memberEntries = (members: MemberIds) =>
  Object.entries(members)
    .filter((entry): entry is [string, readonly string[]] => entry[1] !== undefined)
    .map(([field, ids]) => ({ field, ids, member: field.slice(0, -'_ids'.length) as CardMember }));

/**
 * Adds members to a record. Returns the added members.
 * @throws a 422 that names the field, for members that do not exist, and for labels of another pipeline
 */
export async function assign(
  db: Db,
  kind: RecordKind,
  { id, pipeline_id }: LabelledRecord,
  members: MemberIds,
): Promise<string[]> {
  const added: string[] = [];
  for (const { field, ids, member } of memberEntries(members).filter((entry) => entry.ids.length > 0)) {
    const { table, subject, column, catalogue } = namesOf(kind, member);
    const fits = member === 'label' ? sql`pipeline_id IS NULL OR pipeline_id = ${pipeline_id}::uuid` : sql`TRUE`;
    const known = await db.rows(sql`SELECT FROM ${catalogue} WHERE id = ANY(${ids}::uuid[]) AND (${fits})`);
    if (known.length < new Set(ids).size) throw unknownRecord(field, member);
    const rows = await db.rows<{ id: string }>(sql`
      INSERT INTO ${table} (${subject}, ${column}) SELECT ${id}::uuid, id FROM unnest(${ids}::uuid[]) AS id
      ON CONFLICT DO NOTHING RETURNING ${column} AS id`);
    added.push(...rows.map((row) => row.id));
  }
  return added;
}

/** Replaces the members of a record with exactly these. Omitted kinds of members remain unchanged. */
export async function reassign(db: Db, kind: RecordKind, place: LabelledRecord, members: MemberIds): Promise<void> {
  for (const { ids, member } of memberEntries(members)) {
    const { table, subject, column } = namesOf(kind, member);
    await db.rows(sql`
      DELETE FROM ${table} WHERE ${subject} = ${place.id}::uuid AND ${column} <> ALL(${ids}::uuid[])`);
  }
  await assign(db, kind, place, members);
}

/** Removes a member from a record. Returns true if there was one. */
export async function unassign(
  db: Db,
  kind: RecordKind,
  id: string,
  member: CardMember,
  member_id: string,
): Promise<boolean> {
  const { table, subject, column } = namesOf(kind, member);
  const removed = await db.rows(sql`
    DELETE FROM ${table} WHERE ${subject} = ${id}::uuid AND ${column} = ${member_id}::uuid RETURNING ${column}`);
  return removed.length > 0;
}

/** Removes the labels of other pipelines from a record. */
export async function dropForeignLabels(db: Db, kind: RecordKind, id: string, pipeline_id: string): Promise<void> {
  const { table, subject } = namesOf(kind, 'label');
  await db.rows(sql`
    DELETE FROM ${table} USING labels
    WHERE labels.id = label_id AND ${subject} = ${id}::uuid AND labels.pipeline_id <> ${pipeline_id}::uuid`);
}

/** Columns of a member in the response of a record. */
const SHOWN_COLUMNS = { label: sql`name, color`, source: sql`name`, user: sql`name, kind`, client: sql`name, kind` };

/** Returns the members of several records, for `many`. */
export const membersOf =
  (db: Db, kind: RecordKind, member: CardMember) =>
  (ids: string[]): Promise<object[]> => {
    const { table, subject, column, catalogue } = namesOf(kind, member);
    return db.rows(sql`
      SELECT ${subject}, id, ${SHOWN_COLUMNS[member]} FROM ${table} JOIN ${catalogue} ON id = ${column}
      WHERE ${subject} = ANY(${ids}::uuid[]) ORDER BY name, id`);
  };

/**
 * Deletes a label or a source that no lead or deal uses. Locks the row first, so that it cannot be added to a record
 * concurrently. Chosen: a label or source in use is not deleted, because removing it from all records cannot be undone.
 * @throws NotFound, InUse
 */
export async function removeUnused(db: Db, noun: 'label' | 'source', id: string): Promise<{ id: string }> {
  const [locked] = await db.rows(sql`SELECT id FROM ${tableNamed(`${noun}s`)} WHERE id = ${id}::uuid FOR UPDATE`);
  if (!locked) throw NotFound();
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
