/** Connected account of an instance: created once at the provider, and stored as the provider reports it. */
import { sql } from '@suite/chassis/database';
import { TooManyRequests } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import type { z } from 'zod';
import type { ConnectAccount } from '../../generated/client.ts';
import type { Mode } from '../instances/instance.rules.ts';
import type { Db, Read, Write } from '../../operations.ts';
import { READ_TIMEOUT_MS } from '../payments/provider-timeout.ts';
import { providerIn } from '../payments/payments.ts';
import { type AccountSnapshot, ProviderFailed } from '../payments/provider.ts';
import { accountState, ConnectDisabled, connectAccounts, CountryFixed } from './account.rules.ts';
import type { ConnectStatus, OnboardingInput } from './account.schema.ts';

const LINKS_PER_HOUR = 10;
const REFRESHES_PER_MINUTE = 6;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const NOTHING_DUE: AccountSnapshot['requirements'] = {
  currently_due: [],
  past_due: [],
  eventually_due: [],
  current_deadline: null,
  disabled_reason: null,
};

/** Returns the current account of an instance, in the mode of its token. */
export const readCurrentAccount = (db: Db): Promise<ConnectAccount | null> =>
  db.connectAccount.findFirst({ where: { replaced_at: null } });

/** Returns an account as displayed, or the status `none` without one. */
export function toConnectStatus(account: ConnectAccount | null): z.input<typeof ConnectStatus> {
  const { provider_account_id = null, country = null, synced_at = null } = account ?? {};
  const { charges_enabled = false, payouts_enabled = false, details_submitted = false } = account ?? {};
  return {
    provider_account_id,
    country,
    // An account that was requested but not yet created counts as none.
    status: (provider_account_id === null ? 'none' : account!.status) as 'none',
    charges_enabled,
    payouts_enabled,
    details_submitted,
    requirements: { ...NOTHING_DUE, ...(account?.requirements as object) },
    synced_at,
  };
}

/** Counts a use within a time span. @throws TooManyRequests, with the time when the oldest use leaves the span */
async function countUse(
  db: Db,
  id: string,
  column: 'links_made_at' | 'refreshed_at',
  limit: number,
  span_ms: number,
): Promise<void> {
  const now = clock.now();
  const account = await db.connectAccount.findFirstOrThrow({ where: { id } });
  const recent = account[column].filter((at) => at.getTime() > now.getTime() - span_ms);
  if (recent.length >= limit) {
    const oldest = Math.min(...recent.map((at) => at.getTime()));
    throw TooManyRequests({ retry_after_s: Math.ceil((oldest + span_ms - now.getTime()) / 1_000) });
  }
  await db.connectAccount.updateMany({ where: { id }, data: { [column]: [...recent, now] } });
}

/** Locks the account of an instance, even if it does not exist yet. */
async function lockAccount(db: Db): Promise<ConnectAccount | null> {
  await db.rows(sql`
    SELECT pg_advisory_xact_lock(hashtextextended('connected account ' || suite_instance_id() || suite_instance_mode(), 0))`);
  return await readCurrentAccount(db);
}

/**
 * Records the provider's state of an account. An older state never replaces a newer one, and a disabled account stays
 * disabled.
 * @returns whether the row is already newer
 */
export async function applyAccount(
  db: Db,
  snapshot: AccountSnapshot,
  fetched_at: Date,
  event_at?: Date,
): Promise<'applied' | 'older' | 'unknown'> {
  const { provider_account_id, metadata: _, requirements, country: __, ...columns } = snapshot;
  const [row] = await db.rows<{
    id: string;
    status: string;
    synced_at: string | null;
    latest_event_at: string | null;
  }>(sql`
    SELECT id, status, synced_at, greatest(latest_event_at, ${event_at ?? null}::timestamptz) AS latest_event_at
    FROM connect_accounts WHERE provider_account_id = ${provider_account_id} FOR UPDATE`);
  if (!row) return 'unknown';
  if (row.synced_at && fetched_at.getTime() <= Date.parse(row.synced_at)) return 'older';
  await setState(db, row.id, accountState(snapshot));
  await db.connectAccount.updateMany({
    where: { id: row.id },
    data: {
      ...columns,
      requirements: { ...requirements },
      synced_at: fetched_at,
      latest_event_at: row.latest_event_at,
    },
  });
  return 'applied';
}

async function setState(db: Db, id: string, state: string): Promise<void> {
  const { set, guard } = connectAccounts.deriving(sql`${state}::text`, 'connect_accounts');
  await db.rows(sql`UPDATE connect_accounts SET ${set} WHERE id = ${id}::uuid AND ${guard}`);
}

/** Disables an account whose instance has revoked our access. */
export async function disableAccount(db: Db, provider_account_id: string, event_at: Date): Promise<boolean> {
  const account = await db.connectAccount.findFirst({ where: { provider_account_id } });
  if (!account) return false;
  await setState(db, account.id, 'disabled');
  await db.connectAccount.updateMany({
    where: { id: account.id },
    data: { charges_enabled: false, payouts_enabled: false, latest_event_at: event_at },
  });
  return true;
}

/** Allows an instance to replace a disabled account. @returns true if a disabled account exists */
export async function allowReplacement(db: Db): Promise<boolean> {
  const where = { status: 'disabled', replaced_at: null };
  const { count: allowed } = await db.connectAccount.updateMany({ where, data: { replaceable: true } });
  return allowed > 0;
}

interface AccountContext {
  read: Read;
  write: Write;
  instance: { id: string; mode: Mode };
}

type OnboardingRequest = z.output<typeof OnboardingInput>;

/** Records that an account is about to be requested, and counts the link. @throws CountryFixed, ConnectDisabled */
async function recordAccount(
  db: Db,
  { id, mode }: AccountContext['instance'],
  { country, email, business_type }: OnboardingRequest,
): Promise<ConnectAccount> {
  let account = await lockAccount(db);
  if (account?.status === 'disabled') {
    if (!account.replaceable) throw ConnectDisabled();
    await db.connectAccount.updateMany({ where: { id: account.id }, data: { replaced_at: clock.now() } });
    account = null;
  }
  if (account && account.country !== country) throw CountryFixed();
  const request = { country, email: email ?? null, business_type: business_type ?? null };
  // A pending account keeps the values of the first request. Later requests get the same account.
  account ??= await db.connectAccount.create({ data: { wl_instance_id: id, provider_mode: mode, ...request } });
  await countUse(db, account.id, 'links_made_at', LINKS_PER_HOUR, HOUR_MS);
  return account;
}

/** Opens the account of an instance at the provider once, and creates a link to its onboarding page. */
export async function onboard({ write, instance }: AccountContext, request: OnboardingRequest) {
  const provider = providerIn(instance.mode);
  const recorded = await write((db) => recordAccount(db, instance, request));
  const fetched_at = clock.now();
  const isNew = recorded.provider_account_id === null;
  const { country, email, business_type } = recorded;
  const accountRequest = {
    country,
    email: email ?? undefined,
    business_type: business_type ?? undefined,
    instance_id: instance.id,
  };
  // Uses one key for all concurrent requests and after a timeout, so that they get one account.
  const open = () =>
    provider.openAccount(accountRequest, `account ${recorded.id}`).catch(async (error: unknown) => {
      if ((error as { status?: number }).status === 502) await write((db) => removeRequested(db, recorded.id));
      throw error;
    });
  const opened = isNew ? await open() : undefined;
  const ref = opened?.provider_account_id ?? recorded.provider_account_id!;
  const isFirst = opened !== undefined && (await write((db) => storeOpened(db, recorded.id, opened, fetched_at)));
  const link = await provider.accountLink(ref, { return_url: request.return_url, refresh_url: request.refresh_url });
  return { created: isFirst, link };
}

/** Removes an account that the provider has rejected, so that it can be requested with other values. */
const removeRequested = (db: Db, id: string) =>
  db.connectAccount.deleteMany({ where: { id, provider_account_id: null } });

/** Stores an opened account. @returns true if this call was the first */
async function storeOpened(db: Db, id: string, opened: AccountSnapshot, fetched_at: Date): Promise<boolean> {
  const { count: stored } = await db.connectAccount.updateMany({
    where: { id, provider_account_id: null },
    data: { provider_account_id: opened.provider_account_id },
  });
  // Of two concurrent calls, the provider may have rejected the other one. This account is then requested again.
  if ((await applyAccount(db, opened, fetched_at)) === 'unknown') throw ProviderFailed();
  return stored === 1;
}

/** Fetches the current state of an account from the provider. @throws TooManyRequests, ProviderFailed */
export async function refreshAccount({ write, instance }: AccountContext): Promise<void> {
  const account = await write(async (db) => {
    const current = await lockAccount(db);
    if (current?.provider_account_id) await countUse(db, current.id, 'refreshed_at', REFRESHES_PER_MINUTE, MINUTE_MS);
    return current;
  });
  if (!account?.provider_account_id) return;
  const fetched_at = clock.now();
  const snapshot = await providerIn(instance.mode, READ_TIMEOUT_MS).account(account.provider_account_id);
  if (!snapshot) throw ProviderFailed();
  await write((db) => applyAccount(db, snapshot, fetched_at));
}
