/** The use of storage by a workspace in all services: each reports its own sum, and is answered what the others have reported. */
import { clock, sql } from '@suite/chassis';
import { planThatCounts } from '../entitlements/entitlement.ts';
import type { Db } from '../operations.ts';

/** The sum of one service. */
interface ServiceUse {
  workspace_id: string;
  service: string;
  bytes: string;
}

/**
 * Records what a service stores, in place of its last report.
 * @returns what the others store, and what the plan allows: nothing where there is no plan, or no such workspace
 */
export async function recordStorage(
  db: Db,
  { workspace_id, service, bytes }: ServiceUse,
): Promise<{ elsewhere_bytes: string; allowed_mb: number | undefined }> {
  const [found] = await db.rows<{ elsewhere_bytes: string; allowed_mb: number | null }>(sql`
    WITH known AS (
      SELECT workspaces.id, CASE WHEN plans.code IS NULL THEN 0 ELSE plans.storage_limit_mb END AS allowed_mb
      FROM workspaces ${planThatCounts(clock.now())} WHERE workspaces.id = ${workspace_id}::uuid
    ), written AS (
      INSERT INTO storage_uses (workspace_id, service, bytes) SELECT id, ${service}, ${bytes}::bigint FROM known
      ON CONFLICT (workspace_id, service) DO UPDATE SET bytes = EXCLUDED.bytes
    )
    SELECT allowed_mb, (SELECT coalesce(sum(bytes), 0)::text FROM storage_uses
      WHERE storage_uses.workspace_id = known.id AND service <> ${service}) AS elsewhere_bytes
    FROM known`);
  if (!found) return { elsewhere_bytes: '0', allowed_mb: 0 };
  return { elsewhere_bytes: found.elsewhere_bytes, allowed_mb: found.allowed_mb ?? undefined };
}
