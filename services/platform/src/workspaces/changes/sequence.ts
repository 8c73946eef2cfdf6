/**
 * The sequence of a workspace: the changes of all services, merged when a client asks for more than is stored.
 * Chosen: platform reads the journals of the services when a client asks, instead of consuming a message for each change. A
 * write costs nothing more, and a workspace without readers costs nothing.
 */
import { sql } from '@suite/chassis/database';
import type { FeedPlace } from '@suite/proto/records/v1/records';
import type { Db, RecordServiceName } from '../../operations.ts';
import type { MergedChange } from './merge.ts';

/** Service → place in its journal. */
export type Places = Partial<Record<RecordServiceName, FeedPlace>>;

/** The state of a sequence. */
export interface Sequence {
  epoch: number;
  last_sequence: number;
  /** Changes up to this one are removed. */
  removed_sequence: number;
  revision: number;
  places: Places;
}

/** A stored change. */
export interface StoredChange {
  sequence: number;
  service: RecordServiceName;
  position: string;
  number: number;
  record_type: string;
  record_id: string;
}

const SEQUENCE = sql`epoch::float, last_sequence::float, removed_sequence::float, revision::float, places`;

/**
 * Returns the sequence of the workspace, in a transaction that may write. A restored database begins a new sequence: changes that
 * clients have received may no longer exist.
 */
export async function openSequence(db: Db): Promise<Sequence> {
  const find = async () =>
    (await db.rows<Sequence>(sql`SELECT ${SEQUENCE} FROM change_feeds WHERE epoch = suite_epoch()`))[0];
  const found = await find();
  if (found) return found;
  const [begun] = await db.rows<Sequence>(sql`
    INSERT INTO change_feeds AS feed (epoch) VALUES (suite_epoch())
    ON CONFLICT (workspace_id) DO UPDATE SET epoch = excluded.epoch, last_sequence = 0, removed_sequence = 0, places = '{}',
      revision = feed.revision + 1
    WHERE feed.epoch <> excluded.epoch
    RETURNING ${SEQUENCE}`);
  // Another request has begun it.
  if (!begun) return (await find())!;
  await db.rows(sql`DELETE FROM feed_changes`);
  return begun;
}

/** Returns the next stored changes after one. */
export const storedAfter = (db: Db, sequence: number, limit: number): Promise<StoredChange[]> =>
  db.rows<StoredChange>(sql`
    SELECT sequence::float, service, position::text, number, record_type, record_id FROM feed_changes
    WHERE sequence > ${sequence} ORDER BY sequence LIMIT ${limit}`);

/** Adds merged changes, unless another process has added some since the sequence was read. */
export async function addChanges(db: Db, { revision }: Sequence, changes: readonly MergedChange[], places: Places) {
  await db.rows(sql`
    WITH feed AS (
      UPDATE change_feeds SET places = ${JSON.stringify(places)}::jsonb, revision = revision + 1,
        last_sequence = last_sequence + ${changes.length}
      WHERE revision = ${revision} AND epoch = suite_epoch() RETURNING last_sequence - ${changes.length} AS before)
    INSERT INTO feed_changes (sequence, service, position, number, record_type, record_id, at)
    SELECT feed.before + place, change ->> 'service', (change ->> 'position')::bigint, (change ->> 'number')::int,
      change ->> 'record_type', (change ->> 'record_id')::uuid, (change ->> 'at')::timestamptz
    FROM feed, jsonb_array_elements(${JSON.stringify(changes)}::jsonb) WITH ORDINALITY AS added (change, place)`);
}
