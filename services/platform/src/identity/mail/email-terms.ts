/** E-mail settings of a workspace: its name, its pages, its reply address and its allowance. */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { SendingTerms } from '@suite/mail-queue';
import { joinEffectivePlan } from '../../entitlements/entitlements/entitlement.ts';
import type { Db } from '../../operations.ts';

const WINDOW_S = 3_600;

/** An unknown workspace sends nothing: its e-mails remain queued. */
const TERMS_OF_UNKNOWN: SendingTerms = { workspace_name: '', reply_to: '', links: {}, retry_after_s: WINDOW_S };

interface WorkspaceSettings {
  workspace_name: string;
  reply_to: string;
  links: Record<string, string>;
  /** Maximum number of recipients an hour. */
  most: number;
}

/**
 * Counts recipients against the allowance of the workspace, which refills over an hour. More recipients than the hourly
 * limit use the whole allowance.
 * @returns the seconds until they are covered; 0 if they were counted
 */
async function countRecipients(db: Db, recipients: number, hourly_limit: number): Promise<number> {
  const now = clock.now();
  const cost_s = Math.min(recipients, hourly_limit) * (WINDOW_S / hourly_limit);
  const next = sql`greatest(emails_full_at, ${now}::timestamptz) + make_interval(secs => ${cost_s}::float8)`;
  const [row] = await db.rows<{ is_counted: boolean; wait_s: number }>(sql`
    WITH before AS (SELECT workspace_id, ${next} <= ${now}::timestamptz + make_interval(secs => ${WINDOW_S}::int) AS is_covered,
        extract(epoch FROM ${next} - ${now}::timestamptz)::float8 - ${WINDOW_S}::int AS ahead_s
      FROM entitlements FOR UPDATE)
    UPDATE entitlements SET emails_full_at = CASE WHEN is_covered THEN ${next} ELSE emails_full_at END
    FROM before WHERE entitlements.workspace_id = before.workspace_id
    RETURNING is_covered AS is_counted, ceil(ahead_s)::int AS wait_s`);
  if (!row) return WINDOW_S;
  return row.is_counted ? 0 : Math.max(1, row.wait_s);
}

/**
 * Returns the e-mail settings of the transaction's workspace, and counts the recipients.
 * @param recipients 0 for an e-mail that needs no allowance
 */
export async function emailTerms(db: Db, workspace_id: string, recipients: number): Promise<SendingTerms> {
  const [settings] = await db.rows<WorkspaceSettings>(sql`
    SELECT workspaces.name AS workspace_name, workspaces.links, coalesce(plans.email_limit, plan_settings.email_limit) AS most,
      coalesce(workspaces.email_reply_to, (
        SELECT email FROM users WHERE users.workspace_id = workspaces.id AND kind = 'owner' AND status = 'active'
        ORDER BY created_at, id LIMIT 1), '') AS reply_to
    FROM workspaces ${joinEffectivePlan(clock.now())} CROSS JOIN plan_settings WHERE workspaces.id = ${workspace_id}::uuid`);
  if (!settings) return TERMS_OF_UNKNOWN;
  const { most: hourly_limit, ...terms } = settings;
  return { ...terms, retry_after_s: recipients > 0 ? await countRecipients(db, recipients, hourly_limit) : 0 };
}
