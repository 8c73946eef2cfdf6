/**
 * Checkouts. The provider is called with a key that is stored beforehand, so repeated or concurrent calls open one
 * page. A call that the provider rejects leaves nothing behind.
 */
import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { AlreadySubscribed, TERMINAL_STATUSES } from '../billing/subscription.rules.ts';
import { callAndApply, ChangeInProgress } from '../billing/subscription-commands.ts';
import type { CheckoutSession } from '../../generated/client.ts';
import type { Db, Read, Write } from '../../operations.ts';
import { providerIn } from '../payments/payments.ts';
import { type CheckoutSnapshot, type PaymentProvider, ProviderFailed } from '../payments/provider.ts';
import { checkouts } from './checkout.rules.ts';
import { type CheckoutRequest, isSameRequest } from './checkout-request.ts';
import { trialDaysFor } from './trial.ts';

interface CheckoutContext {
  read: Read;
  write: Write;
}

const ownerOf = ({ buyer }: CheckoutRequest) => ({
  wl_instance_id: buyer.wl_instance_id ?? null,
  workspace_id: buyer.workspace_id ?? null,
});

const RUNNING_STATUSES = { in: ['requested', 'open'] };

async function assertNotSubscribed(db: Db, { buyer, mode, client_reference }: CheckoutRequest): Promise<void> {
  const own = buyer.workspace_id
    ? { workspace_id: buyer.workspace_id }
    : { wl_instance_id: buyer.wl_instance_id!, client_reference };
  if (
    await db.subscription.findFirst({
      where: { ...own, provider_mode: mode, status: { notIn: [...TERMINAL_STATUSES] } },
    })
  )
    throw AlreadySubscribed();
}

/** Next step: continue with a row, or end the page that was open before. */
type CheckoutStep = { row: CheckoutSession; before?: undefined } | { row?: undefined; before: CheckoutSession };

/** Serializes the commands about one customer. */
const lockBuyer = (db: Db, { buyer, mode, client_reference, customer_email }: CheckoutRequest) => {
  const names = [client_reference, customer_email].map(
    (name) => `checkout ${Object.values(buyer).join('')} ${mode} ${name}`,
  );
  return db.rows(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM (SELECT unnest(${names}::text[]) AS name ORDER BY 1) AS names`);
};

/**
 * Records that the provider is about to be called.
 * @param ended the page that the provider has ended for this checkout
 * @throws AlreadySubscribed
 */
async function recordCheckout(db: Db, request: CheckoutRequest, ended: string | undefined): Promise<CheckoutStep> {
  await lockBuyer(db, request);
  await assertNotSubscribed(db, request);
  const { client_reference, price, mode } = request;
  const { wl_instance_id, workspace_id } = ownerOf(request);
  const owner = wl_instance_id ? { wl_instance_id, client_reference } : { workspace_id };
  const running = await db.checkoutSession.findFirst({
    where: { ...owner, provider_mode: mode, status: RUNNING_STATUSES },
    orderBy: { id: 'desc' },
  });
  const isLive = !running?.expires_at || running.expires_at > clock.now();
  if (running && isLive && isSameRequest(running, request)) return { row: running };
  // While a customer can pay on one page, no other page is opened. This prevents double payments.
  if (running?.provider_ref && running.id !== ended) return { before: running };
  if (running) await checkouts.move(db.checkoutSession, running.id, 'expire');
  const trial_days = request.trial ? await trialDaysFor(db, request, price) : 0;
  const row = await db.checkoutSession.create({
    data: {
      wl_instance_id,
      workspace_id,
      provider_mode: mode,
      plan_code: price.plan,
      interval: price.interval,
      currency: price.currency,
      amount: price.amount,
      wholesale_amount: price.wholesale_amount,
      quantity: request.quantity,
      trial_days,
      client_reference,
      customer_email: request.customer_email,
      customer_name: request.customer_name ?? null,
      success_url: request.success_url,
      cancel_url: request.cancel_url,
      locale: request.locale ?? null,
      base_currency: request.base_currency ?? null,
      timezone: request.timezone ?? null,
      country: request.country ?? null,
      fiscal_year_start: request.fiscal_year_start ?? null,
      week_start: request.week_start ?? null,
      metadata: request.metadata,
    },
  });
  return { row };
}

/**
 * Returns the metadata that the provider stores and sends with its events. The metadata suffices to create the
 * subscription here.
 */
function metadataOf(row: CheckoutSession, { price }: CheckoutRequest): Record<string, string> {
  const { wl_instance_id, workspace_id, client_reference, plan_code, interval } = row;
  return {
    ...(wl_instance_id && { wl_instance_id, client_reference }),
    ...(workspace_id && { workspace_id }),
    checkout_id: row.id,
    plan: plan_code,
    interval,
    price_id: price.price_id,
  };
}

const callProvider = (
  provider: PaymentProvider,
  row: CheckoutSession,
  request: CheckoutRequest,
): Promise<CheckoutSnapshot> =>
  provider.openCheckout(
    {
      plan: request.price.plan,
      title: request.price.title,
      price: { currency: row.currency, interval: request.price.interval, amount: request.price.amount },
      quantity: row.quantity,
      share: request.share,
      customer_email: row.customer_email,
      client_reference: row.client_reference,
      trial_days: row.trial_days,
      success_url: row.success_url,
      cancel_url: row.cancel_url,
      locale: row.locale ?? undefined,
      metadata: metadataOf(row, request),
    },
    row.id,
  );

/**
 * Ends the page that was open before. If the customer has paid on it in the meantime, applies the payment.
 * @throws AlreadySubscribed, ProviderFailed
 */
async function endPreviousPage(
  { write }: CheckoutContext,
  provider: PaymentProvider,
  before: CheckoutSession,
): Promise<void> {
  const { status, subscription_ref: ref } = await provider.expireCheckout(before.provider_ref!);
  if (status === 'expired') return;
  if (status === 'open') throw ProviderFailed();
  if (ref) {
    const fetch = async () => (await provider.subscription(ref))!;
    await callAndApply(write, fetch, provider.subscription);
  }
  throw AlreadySubscribed();
}

/**
 * Maximum number of attempts to replace pages opened by concurrent requests. The customer is then asked to try again.
 */
const ATTEMPTS = 3;

/**
 * Returns the row to continue with, once no other page of the customer is open. @throws AlreadySubscribed, ChangeInProgress
 */
async function recordOnlyCheckout(
  context: CheckoutContext,
  provider: PaymentProvider,
  request: CheckoutRequest,
): Promise<CheckoutSession> {
  let ended: string | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { row, before } = await context.write((db) => recordCheckout(db, request, ended));
    if (row) return row;
    await endPreviousPage(context, provider, before);
    ended = before.id;
  }
  throw ChangeInProgress();
}

/** Removes a row for which the provider has opened no page. */
const removeRequested = (db: Db, id: string) => db.checkoutSession.deleteMany({ where: { id, status: 'requested' } });

/**
 * Opens a provider page for a customer, or returns the open one.
 * @returns the ID of the row, and whether this call opened the page
 * @throws AlreadySubscribed, ChangeInProgress, and the faults of the provider, after which nothing is stored
 */
export async function openCheckout(
  context: CheckoutContext,
  request: CheckoutRequest,
): Promise<{ id: string; created: boolean }> {
  const provider = providerIn(request.mode);
  const row = await recordOnlyCheckout(context, provider, request);
  if (row.status === 'open') return { id: row.id, created: false };
  const opened = await callProvider(provider, row, request).catch(async (error: unknown) => {
    // After a timeout the row remains hidden. A retry with the same key returns the page that the first call may have
    // opened.
    if ((error as { status?: number }).status === 502) await context.write((db) => removeRequested(db, row.id));
    throw error;
  });
  const outcome = await context.write((db) => storePage(db, request, row.id, opened));
  if (outcome !== 'replaced') return { id: row.id, created: outcome === 'first' };
  // Another request of the customer has replaced this page in the meantime. Its URL was never returned, so the page is
  // expired.
  await provider.expireCheckout(opened.provider_ref);
  throw ChangeInProgress();
}

/** Stores the page that the provider has opened, unless the row was ended or removed in the meantime. */
async function storePage(
  db: Db,
  request: CheckoutRequest,
  id: string,
  { provider_ref, url, expires_at }: CheckoutSnapshot,
): Promise<'first' | 'again' | 'replaced'> {
  // A concurrent checkout sees the row either with its page or not at all.
  await lockBuyer(db, request);
  const { count } = await db.checkoutSession.updateMany({
    where: { id, provider_ref: null, status: 'requested' },
    data: { provider_ref, url, expires_at },
  });
  if (count === 0) return (await db.checkoutSession.findFirst({ where: { id, provider_ref } })) ? 'again' : 'replaced';
  await checkouts.move(db.checkoutSession, id, 'open');
  return 'first';
}

/** Records the provider's state of a page. @returns true if the page is known here */
export async function applyCheckout(
  { db }: { db: Db; emit: Emit },
  { provider_ref, status, metadata }: CheckoutSnapshot,
  { subscription_id, event_at }: { subscription_id: string | null; event_at: Date },
): Promise<boolean> {
  const where = metadata['checkout_id'] ? { id: metadata['checkout_id'] } : { provider_ref };
  const row = await db.checkoutSession.findFirst({ where });
  if (!row) return false;
  const verb = status === 'complete' ? 'complete' : status === 'expired' ? 'expire' : undefined;
  // A page that was ended here but paid for nevertheless stays unchanged: the subscription shows the payment.
  if (verb && checkouts.allowed(row.status).includes(verb)) await checkouts.move(db.checkoutSession, row.id, verb);
  const latest_event_at = row.latest_event_at && row.latest_event_at > event_at ? row.latest_event_at : event_at;
  await db.checkoutSession.updateMany({
    where: { id: row.id },
    data: { latest_event_at, ...(subscription_id && { subscription_id }) },
  });
  return true;
}

/** Returns a checkout as displayed. @throws NotFound, including for a checkout without a response from the provider */
export async function readCheckout(db: Db, id: string) {
  const row = await db.checkoutSession.findFirst({ where: { id, status: { not: 'requested' } } });
  if (!row) throw NotFound();
  const { plan_code: plan, amount, currency, trial_days, status } = row;
  const subscription = row.subscription_id && (await db.subscription.findFirst({ where: { id: row.subscription_id } }));
  return {
    ...row,
    url: status === 'open' ? row.url : null,
    interval: row.interval as 'month' | 'year',
    metadata: row.metadata as Record<string, string>,
    plan,
    price: { amount: amount.toFixed(), currency },
    trial: trial_days > 0,
    subscription_id: subscription ? subscription.provider_ref : null,
  };
}
