/**
 * The owning service: deletes a record only after every service that stores IDs of its kind has stopped new references
 * and found none. Each of these services keeps its fence for a while after the deletion, for requests that looked up
 * the record before. The fences of a crashed deletion expire automatically.
 */
import { randomUUID } from 'node:crypto';
import { raw, sqltag as sql } from '@prisma/client/runtime/client';
import type { ReferenceServiceDefinition } from '@suite/proto/references/v1/references';
import type { Database, RowReader } from '../database/database.ts';
import type { TransactionContext } from '../database/running.ts';
import type { Guard } from '../http/bind.ts';
import type { Clients } from '../rpc/rpc.ts';
import { BeingDeleted, Fault, InUse, NotFound } from '../runtime/fault.ts';
import { countReferences, liftFence, raiseFence, type ReferenceCounts } from './counting.ts';
import type { OwnedKind, Reference } from './reference.ts';

/** Clients of the referring services, by name. */
export type Referrers = Clients<Record<string, typeof ReferenceServiceDefinition>>;

/**
 * The longest duration of a deletion, in milliseconds. The fences of other services last much longer, so that clocks
 * need not match.
 */
const OWN_HOLD_MS = 30_000;
const OTHERS_HOLD_MS = 120_000;

/** Returns the fault for a record in use, with the references that the caller sees. */
function faultOfUses(uses: readonly ReferenceCounts[], instead: string): Fault | undefined {
  if (!uses.some(({ used }) => used)) return undefined;
  const counts = uses.flatMap((each) => each.counts);
  const by_records = Map.groupBy(counts, ({ records }) => records);
  const sums = [...by_records].map(([records, each]) => [records, each.reduce((sum, { count }) => sum + count, 0)]);
  return InUse({ ...Object.fromEntries(sums), instead });
}

/** Guards the deletion of one record. */
export function guardDeletion(
  { noun, table, referrers, instead }: OwnedKind,
  id: string,
  means: {
    database: Database<unknown>;
    context: TransactionContext;
    references: readonly Reference[];
    clients: Referrers;
  },
): Guard {
  const { database, context, references, clients } = means;
  const deletion = { noun, record_id: id, deletion_id: randomUUID() };
  let stage: 'new' | 'fenced' | 'confirmed' = 'new';
  const asked = referrers.map((name) => clients[name]!);

  const fenceHere = () =>
    database.write(context, async (given) => {
      const db = given as RowReader;
      const found = await db.rows(sql`SELECT FROM ${raw(table)} WHERE id = ${id}::uuid`);
      if (found.length === 0) throw NotFound();
      await raiseFence(db, { ...deletion, hold_ms: OWN_HOLD_MS });
      return await countReferences(db, references, noun, id);
    });

  return {
    async prepare() {
      const own = await fenceHere();
      stage = 'fenced';
      const request = { ...deletion, hold_ms: OTHERS_HOLD_MS };
      // All responses are awaited: a fence must not arrive after it was lifted.
      const answers = await Promise.allSettled(asked.map((client) => client.beginDeletion(request)));
      const silent = answers.find((answer) => answer.status === 'rejected');
      if (silent) throw silent.reason;
      const refusal = faultOfUses(
        [own, ...answers.flatMap((answer) => ('value' in answer ? answer.value : []))],
        instead,
      );
      if (refusal) throw refusal;
    },
    async confirm(given) {
      const fences = await (given as RowReader).rows(sql`
        SELECT FROM deletion_fences WHERE noun = ${noun} AND record_id = ${id}::uuid
          AND deletion_id = ${deletion.deletion_id}::uuid AND until > clock_timestamp() FOR UPDATE`);
      if (fences.length === 0) throw BeingDeleted();
      stage = 'confirmed';
    },
    async abandon(reason) {
      if (stage === 'new') return;
      // If the record no longer exists, another attempt deleted it. An unknown failure may have happened after the
      // commit.
      const isKept = reason === undefined || (reason instanceof Fault && reason.status < 500 && reason.status !== 404);
      if (stage === 'confirmed' && !isKept) return;
      await Promise.allSettled([
        database.write(context, (db) => liftFence(db as RowReader, deletion)),
        ...asked.map((client) => client.endDeletion(deletion)),
      ]);
    },
  };
}
