/** Trials of buyers: one for each customer, address and workspace. */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { Mode } from '../instances/instance.rules.ts';
import type { Db } from '../../operations.ts';

/** Buyer of a plan: the customer of an instance, or a workspace. */
export type Buyer =
  | { wl_instance_id: string; workspace_id?: undefined }
  | { wl_instance_id?: undefined; workspace_id: string };

/** Buyer, with the identifiers for finding their earlier trials. */
interface TrialApplicant {
  buyer: Buyer;
  mode: Mode;
  client_reference: string;
  customer_email: string;
}

const DAY_MS = 86_400_000;

/** Returns true if this reference and this address have had no trial. A trial offered at this moment counts. */
async function isTrialAvailable(
  db: Db,
  { buyer, mode, client_reference, customer_email }: TrialApplicant,
): Promise<boolean> {
  if (buyer.workspace_id)
    return (await db.subscription.count({ where: { workspace_id: buyer.workspace_id, provider_mode: mode } })) === 0;
  const [earlier] = await db.rows(sql`
    SELECT FROM checkout_sessions WHERE wl_instance_id = ${buyer.wl_instance_id}::uuid AND provider_mode = ${mode} AND trial_days > 0
      AND ((client_reference = ${client_reference} AND status = 'complete')
        OR (customer_email = ${customer_email} AND (status = 'complete' OR (client_reference <> ${client_reference} AND status <> 'expired'))))
    UNION ALL
    SELECT FROM subscriptions WHERE wl_instance_id = ${buyer.wl_instance_id}::uuid AND provider_mode = ${mode}
      AND client_reference = ${client_reference} AND trial_end IS NOT NULL
    LIMIT 1`);
  return earlier === undefined;
}

/**
 * Returns the number of trial days for a buyer. Chosen: a workspace that began with a trial keeps the remaining whole
 * days, and gets no second trial.
 */
export async function trialDaysFor(
  db: Db,
  applicant: TrialApplicant,
  { trial_days }: { trial_days: number },
): Promise<number> {
  if (trial_days === 0 || !(await isTrialAvailable(db, applicant))) return 0;
  const { workspace_id } = applicant.buyer;
  const workspace = workspace_id === undefined ? null : await db.workspace.findFirst({ where: { id: workspace_id } });
  const ends_at = workspace?.trial_ends_at;
  return ends_at ? Math.max(0, Math.floor((ends_at.getTime() - clock.now().getTime()) / DAY_MS)) : trial_days;
}
