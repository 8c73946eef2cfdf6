/** Storage use of a workspace: counted in the transactions that add and remove files, and limited by its plan. */
import { sqltag as sql } from '@prisma/client/runtime/client';
import type { Caller } from '../identity/identity.ts';
import { PlanLimit } from '../runtime/fault.ts';
import type { RowReader } from '../database/database.ts';

/** The number of bytes in a megabyte. Chosen: a megabyte of a plan is 1,048,576 bytes. */
const MB = 1024 * 1024;

interface StorageUse {
  /** The bytes that the workspace stores here, and elsewhere according to the last response. */
  used: number;
  allowed_mb: number | null;
}

/**
 * Returns the megabytes that the workspace may store. Without a caller, the last answer applies.
 * @returns null for no limit
 */
const allowedMegabytes = (caller: Caller | null, { allowed_mb }: Pick<StorageUse, 'allowed_mb'>): number | null =>
  caller ? (caller.limits?.storage_mb ?? null) : allowed_mb;

/** Returns the bytes that the workspace of the transaction may still store, without a guarantee. */
export async function remainingStorage(db: RowReader, caller: Caller | null): Promise<number> {
  const [use = { used: 0, allowed_mb: null }] = await db.rows<StorageUse>(sql`
    SELECT (bytes + elsewhere_bytes)::float8 AS used, allowed_mb FROM storage_use
    WHERE workspace_id = nullif(current_setting('suite.workspace_id', true), '')::uuid`);
  const allowed = allowedMegabytes(caller, use);
  return allowed === null ? Number.POSITIVE_INFINITY : Math.max(0, allowed * MB - use.used);
}

/**
 * Counts the files that a command has stored. Call it after all checks of the command. It serialises commands that
 * store files in one workspace, so that only one of two gets the last free space.
 * @param refuses true if files beyond the plan are rejected, and not only counted
 * @throws PlanLimit
 */
export async function countStored(
  db: RowReader,
  files: readonly { key: string; size: number }[],
  { caller, refuses }: { caller: Caller | null; refuses: boolean },
): Promise<void> {
  const [keys, sizes] = [files.map(({ key }) => key), files.map(({ size }) => size)];
  const [use] = await db.rows<StorageUse & { added: number }>(sql`
    WITH workspace AS (
      SELECT id FROM (SELECT nullif(current_setting('suite.workspace_id', true), '')::uuid AS id) AS entered WHERE id IS NOT NULL
    ), added AS (
      INSERT INTO stored_objects (workspace_id, key, bytes)
      SELECT workspace.id, file.key, file.bytes FROM workspace, unnest(${keys}::text[], ${sizes}::bigint[]) AS file (key, bytes)
      ON CONFLICT DO NOTHING RETURNING bytes
    )
    INSERT INTO storage_use AS known (workspace_id, bytes)
    SELECT workspace.id, (SELECT coalesce(sum(bytes), 0) FROM added) FROM workspace
    ON CONFLICT (workspace_id) DO UPDATE SET bytes = known.bytes + EXCLUDED.bytes
    RETURNING (bytes + elsewhere_bytes)::float8 AS used, allowed_mb, (SELECT coalesce(sum(bytes), 0)::float8 FROM added) AS added`);
  const allowed = use && allowedMegabytes(caller, use);
  if (!refuses || !use || typeof allowed !== 'number' || use.added === 0 || use.used <= allowed * MB) return;
  throw PlanLimit({ limit: 'storage_mb', allowed, used: Math.ceil((use.used - use.added) / MB) });
}

/** Subtracts a removed object from the sum. */
export const countRemoved = (db: RowReader, key: string): Promise<unknown> =>
  db.rows(sql`
    WITH gone AS (
      DELETE FROM stored_objects WHERE workspace_id = current_setting('suite.workspace_id')::uuid AND key = ${key} RETURNING bytes)
    UPDATE storage_use SET bytes = storage_use.bytes - gone.bytes FROM gone
    WHERE storage_use.workspace_id = current_setting('suite.workspace_id')::uuid`);
