/** Creates the workspace of an instance's customer when their first subscription begins. */
import { randomUUIDv7 } from 'node:crypto';
import { sql, runInWorkspace } from '@suite/chassis/database';
import type { Emit } from '@suite/chassis/operations';
import { findFreeSlug } from '../../identity/workspaces-of-users/across-workspaces.ts';
import { queueMail } from '../../identity/mail/mail-templates.ts';
import type { Db } from '../../operations.ts';
import type { SubscriptionSnapshot } from '../payments/provider.ts';
import { slugOf } from '../../workspaces/workspaces/slug.ts';
import { provisionWorkspace } from '../../workspaces/workspaces/workspace.ts';

interface ProvisioningContext {
  db: Db;
  emit: Emit;
}

/** Statuses of a subscription without a completed purchase. */
const STATUSES_BEFORE_PURCHASE: readonly string[] = ['incomplete', 'incomplete_expired'];

/**
 * Returns the plan to record as assigned by the operator. The subscription's own plan is the effective one, and that
 * plan may no longer be assignable.
 */
async function assignedPlan(db: Db, plan: string): Promise<string> {
  const existing = await db.plan.findFirst({ where: { code: plan, status: 'active' } });
  const first =
    existing ?? (await db.plan.findFirstOrThrow({ where: { status: 'active' }, orderBy: { position: 'asc' } }));
  return first.code;
}

/**
 * Returns the workspace of the customer that a subscription names, and creates it if there is none. Invites its owner
 * at the address of the checkout. A user with an account elsewhere gets a second account with its own password, and no
 * notification.
 * @returns null while nothing was bought, and for a checkout that is not known
 */
export async function workspaceOf(
  context: ProvisioningContext,
  { status, mode, metadata }: SubscriptionSnapshot,
): Promise<string | null> {
  const { db, emit } = context;
  const { wl_instance_id, client_reference, checkout_id, plan } = metadata;
  if (!wl_instance_id || !client_reference || !plan) return null;
  // Ensures one workspace per customer, whichever of two subscriptions arrives first.
  const customer = `customer ${wl_instance_id} ${mode} ${client_reference}`;
  await db.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${customer}, 0))`);
  const existing = await db.subscription.findFirst({
    where: { wl_instance_id, provider_mode: mode, client_reference, workspace_id: { not: null } },
  });
  if (existing) return existing.workspace_id;
  const isPurchased = checkout_id && !STATUSES_BEFORE_PURCHASE.includes(status);
  const checkout = isPurchased
    ? await db.checkoutSession.findFirst({ where: { id: checkout_id, wl_instance_id } })
    : null;
  if (!checkout) return null;
  const { customer_email: email, customer_name, timezone, country, currency, base_currency } = checkout;
  const name = customer_name ?? client_reference;
  const slug = await findFreeSlug(db, slugOf(name));
  const plan_code = await assignedPlan(db, plan);
  const id = randomUUIDv7();
  return await runInWorkspace(id, async () => {
    const user_id = await provisionWorkspace(db, emit, {
      id,
      name,
      slug,
      plan: plan_code,
      timezone: timezone ?? 'UTC',
      currency: base_currency ?? currency,
      country: country ?? undefined,
      fiscal_year_start: checkout.fiscal_year_start ?? '01-01',
      week_start: checkout.week_start ?? undefined,
      owner: { name: customer_name ?? email.split('@')[0]!, email },
      wl_instance_id,
    });
    await queueMail(db, 'invitation', user_id, email);
    return id;
  });
}
