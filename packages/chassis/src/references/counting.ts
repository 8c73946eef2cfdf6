/**
 * The referring service: stops new references to a record that another service deletes, and counts the existing
 * references.
 */
import { raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import {
  type BeginDeletionRequest,
  type EndDeletionRequest,
  type ReferenceCount,
  ReferenceServiceDefinition,
} from '@suite/proto/references/v1/references';
import type { RowReader } from '../database/database.ts';
import { asCaller } from '../database/running.ts';
import { type RpcContext, type ServedRpc, serveRpc } from '../rpc/rpc.ts';
import { Forbidden, Unauthenticated } from '../runtime/fault.ts';
import { refersToSql, type ReferenceColumn, placesOf, type Reference, blockingReferences } from './reference.ts';

/** Maximum count of references: an error need not report higher numbers. */
const COUNTED_MOST = 1_000;

/** Returns the rows of a table that refer to a record. */
function referringRows(table: string, places: readonly ReferenceColumn[], id: string): Sql {
  // The ID is a UUID by its type, so the statement may contain it as text.
  const any = places.map((place) => `(${refersToSql(place, `'${id}'`)} AND ${place.counted})`).join(' OR ');
  return sql`SELECT FROM ${raw(`${table} AS given WHERE ${any} LIMIT ${COUNTED_MOST}`)}`;
}

/**
 * The references to a record. The counts include only records that the caller sees. Hidden references count as use but
 * are not named.
 */
export interface ReferenceCounts {
  used: boolean;
  counts: ReferenceCount[];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Counts the references to a record in the current transaction. */
export async function countReferences(
  db: RowReader,
  references: readonly Reference[],
  noun: string,
  id: string,
): Promise<ReferenceCounts> {
  if (!UUID.test(id)) throw new Error(`"${id}" is not an ID.`);
  const places = blockingReferences(references)
    .filter((reference) => reference.noun === noun)
    .flatMap(placesOf);
  const uses: ReferenceCounts = { used: false, counts: [] };
  for (const [records, there] of Map.groupBy(places, ({ table }) => table)) {
    const rows = referringRows(records, there, id);
    const [found] = await db.rows<{ used: boolean }>(sql`SELECT EXISTS (${rows}) AS used`, 'planned each time');
    if (!found?.used) continue;
    uses.used = true;
    const counting = sql`SELECT count(*)::int AS count FROM (${rows}) AS referring`;
    const [seen] = await asCaller(() => db.rows<{ count: number }>(counting, 'planned each time'));
    if (seen && seen.count > 0) uses.counts.push({ records, count: seen.count });
  }
  return uses;
}

/** Raises the fence of a deletion in the current transaction. New references to the record are rejected from now on. */
export const raiseFence = (db: RowReader, { noun, record_id, deletion_id, hold_ms }: BeginDeletionRequest) =>
  db.rows(sql`SELECT suite_fence(${noun}, ${record_id}::uuid, ${deletion_id}::uuid, ${hold_ms}::int)`);

/** Lifts the fence of a rejected deletion, unless another attempt has replaced it. */
export const liftFence = (db: RowReader, { noun, record_id, deletion_id }: EndDeletionRequest) =>
  db.rows(sql`
    DELETE FROM deletion_fences
    WHERE noun = ${noun} AND record_id = ${record_id}::uuid AND deletion_id = ${deletion_id}::uuid`);

/**
 * Serves the reference method of each service that stores IDs of other services. Only the owner of a record may call
 * it.
 */
export function serveReferences(references: readonly Reference[]): ServedRpc {
  const within = <T>(noun: string, context: RpcContext<RowReader>, work: (db: RowReader) => Promise<T>): Promise<T> => {
    const { caller, issuer, database, request_id } = context;
    if (!caller) throw Unauthenticated();
    if (noun.split('.')[0] !== issuer) throw Forbidden({ service: issuer });
    const { workspace_id } = caller;
    return database.write({ workspace_id, caller, operation: 'rpc:references', request_id }, work);
  };
  return serveRpc<typeof ReferenceServiceDefinition, RowReader>(ReferenceServiceDefinition, {
    beginDeletion: (request, context) =>
      within(request.noun, context, async (db) => {
        await raiseFence(db, request);
        return await countReferences(db, references, request.noun, request.record_id);
      }),
    endDeletion: (request, context) =>
      within(request.noun, context, async (db) => {
        await liftFence(db, request);
        return {};
      }),
  });
}
