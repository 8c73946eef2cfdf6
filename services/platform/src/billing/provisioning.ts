/** The workspace of a customer of an instance: made when the first subscription of the customer begins. */
import { randomUUIDv7 } from 'node:crypto';
import { type Emit, sql, withinWorkspace } from '@suite/chassis';
import { freeSlug } from '../identity/across-workspaces.ts';
import { queueLetter } from '../mail/letter.ts';
import type { Db } from '../operations.ts';
import type { SubscriptionSnapshot } from '../payments/provider.ts';
import { slugOf } from '../workspaces/slug.ts';
import { provisionWorkspace } from '../workspaces/workspace.ts';

interface Tools {
  db: Db;
  emit: Emit;
}

/** Nothing was bought yet, or never. */
const NOT_BEGUN: readonly string[] = ['incomplete', 'incomplete_expired'];

/**
 * The plan that the operator is said to have given. What counts is that of the subscription, which may be of a plan that is
 * given to nobody any more.
 */
async function givenPlan(db: Db, plan: string): Promise<string> {
  const known = await db.plan.findFirst({ where: { code: plan, status: 'active' } });
  const first =
    known ?? (await db.plan.findFirstOrThrow({ where: { status: 'active' }, orderBy: { position: 'asc' } }));
  return first.code;
}

/**
 * The workspace of the customer whom a subscription names, made where there is none. Its owner is invited at the address of the
 * checkout: somebody who has an account elsewhere gets a second one, with a password of its own, and nobody is told.
 * @returns null while nothing was bought, and for a checkout that is not known
 */
export async function workspaceOf(
  tools: Tools,
  { status, mode, metadata }: SubscriptionSnapshot,
): Promise<string | null> {
  const { db, emit } = tools;
  const { wl_instance_id, client_reference, checkout_id, plan } = metadata;
  if (!wl_instance_id || !client_reference || !plan) return null;
  // One customer has one workspace, whichever of two subscriptions is heard of first.
  const customer = `customer ${wl_instance_id} ${mode} ${client_reference}`;
  await db.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${customer}, 0))`);
  const known = await db.subscription.findFirst({
    where: { wl_instance_id, provider_mode: mode, client_reference, workspace_id: { not: null } },
  });
  if (known) return known.workspace_id;
  const isBegun = checkout_id && !NOT_BEGUN.includes(status);
  const checkout = isBegun ? await db.checkoutSession.findFirst({ where: { id: checkout_id, wl_instance_id } }) : null;
  if (!checkout) return null;
  const { customer_email: email, customer_name, timezone, country, currency } = checkout;
  const name = customer_name ?? client_reference;
  const slug = await freeSlug(db, slugOf(name));
  const plan_code = await givenPlan(db, plan);
  const id = randomUUIDv7();
  return await withinWorkspace(id, async () => {
    const user_id = await provisionWorkspace(db, emit, {
      id,
      name,
      slug,
      plan: plan_code,
      timezone: timezone ?? 'UTC',
      currency,
      country: country ?? undefined,
      fiscal_year_start: '01-01',
      owner: { name: customer_name ?? email.split('@')[0]!, email },
      wl_instance_id,
    });
    await queueLetter(db, 'invitation', user_id, email);
    return id;
  });
}
