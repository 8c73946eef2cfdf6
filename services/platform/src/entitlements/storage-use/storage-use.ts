/**
 * Storage use of a workspace in all services. Each service reports its own total, and receives the total of the others.
 */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { joinEffectivePlan } from '../entitlements/entitlement.ts';
import type { Db } from '../../operations.ts';

/** Storage use of one service. */
interface ServiceUse {
  workspace_id: string;
  service: string;
  bytes: string;
}

/**
 * Replaces a service's last storage report.
 * @returns the use of the other services, and the limit of the plan. Undefined without a plan or workspace
 */
export async function recordStorage(
  db: Db,
  { workspace_id, service, bytes }: ServiceUse,
): Promise<{ elsewhere_bytes: string; allowed_mb: number | undefined }> {
  const [found] = await db.rows<{ elsewhere_bytes: string; allowed_mb: number | null }>(sql`
    WITH known AS (
      SELECT workspaces.id, CASE WHEN plans.code IS NULL THEN 0 ELSE plans.storage_limit_mb END AS allowed_mb
      FROM workspaces ${joinEffectivePlan(clock.now())} WHERE workspaces.id = ${workspace_id}::uuid
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
