/** What is put on a lead or a deal and taken off again: labels, sources, colleagues, clients. Twice is the same as once. */
import { invalid, raw, sql } from '@suite/chassis';
import type { Kind } from '../board/board.ts';
import type { Db } from '../operations.ts';

/** What it is, in the singular: the table of a lead's labels is `lead_labels`, with the columns `lead_id` and `label_id`. */
export type Member = 'label' | 'source' | 'user' | 'client';

const namesOf = (kind: Kind, member: Member) => ({
  table: raw(`${kind}_${member}s`),
  subject: raw(`${kind}_id`),
  column: raw(`${member}_id`),
  catalogue: raw(member === 'client' ? 'users' : `${member}s`),
  /** Where a body names them. */
  field: `${member}_ids`,
});

/** A lead or a deal, and what can be put on it. */
interface Place {
  kind: Kind;
  id: string;
  member: Member;
  /** Labels of other pipelines do not fit. */
  pipeline_id?: string;
}

/**
 * Puts members on a record. Returns those that were not there before.
 * @throws a 422 that names the field, for members that do not exist
 */
export async function assign(
  db: Db,
  { kind, id, member, pipeline_id }: Place,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const { table, subject, column, catalogue, field } = namesOf(kind, member);
  const fitting =
    member === 'label' ? sql`pipeline_id IS NULL OR pipeline_id = ${pipeline_id ?? null}::uuid` : sql`TRUE`;
  const known = await db.rows(sql`SELECT FROM ${catalogue} WHERE id = ANY(${ids}::uuid[]) AND (${fitting})`);
  if (known.length < new Set(ids).size) throw invalid(field, `There is no such ${member} here.`);
  const added = await db.rows<{ id: string }>(sql`
    INSERT INTO ${table} (${subject}, ${column}) SELECT ${id}::uuid, id FROM unnest(${ids}::uuid[]) AS id
    ON CONFLICT DO NOTHING RETURNING ${column} AS id`);
  return added.map((row) => row.id);
}

/** Leaves exactly these members on a record. */
export async function reassign(db: Db, place: Place, ids: readonly string[]): Promise<void> {
  const { table, subject, column } = namesOf(place.kind, place.member);
  await db.rows(sql`
    DELETE FROM ${table} WHERE ${subject} = ${place.id}::uuid AND ${column} <> ALL(${ids}::uuid[])`);
  await assign(db, place, ids);
}

/** Takes a member off a record. Returns whether it was there. */
export async function unassign(db: Db, { kind, id, member }: Place, member_id: string): Promise<boolean> {
  const { table, subject, column } = namesOf(kind, member);
  const removed = await db.rows(sql`
    DELETE FROM ${table} WHERE ${subject} = ${id}::uuid AND ${column} = ${member_id}::uuid RETURNING ${column}`);
  return removed.length > 0;
}

/** Takes off a record the labels of other pipelines than the one that it is in now. */
export async function dropForeignLabels(db: Db, kind: Kind, id: string, pipeline_id: string): Promise<void> {
  const { table, subject } = namesOf(kind, 'label');
  await db.rows(sql`
    DELETE FROM ${table} USING labels
    WHERE labels.id = label_id AND ${subject} = ${id}::uuid AND labels.pipeline_id <> ${pipeline_id}::uuid`);
}

/** What records show of a member. */
const shown = { label: raw('name, color'), source: raw('name'), user: raw('name, kind'), client: raw('name, kind') };

/** The members of several records, for `many`. */
export const membersOf =
  (db: Db, kind: Kind, member: Member) =>
  (ids: string[]): Promise<object[]> => {
    const { table, subject, column, catalogue } = namesOf(kind, member);
    return db.rows(sql`
      SELECT ${subject}, id, ${shown[member]} FROM ${table} JOIN ${catalogue} ON id = ${column}
      WHERE ${subject} = ANY(${ids}::uuid[]) ORDER BY name, id`);
  };
