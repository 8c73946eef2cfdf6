/**
 * Schedule that fetches subscriptions without events for a day from the provider, and expires unused checkout pages.
 */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  rotateByWorkspace,
  type JobContext,
} from '@suite/chassis/service';
import { checkouts } from '../checkouts/checkout.rules.ts';
import type { Mode } from '../instances/instance.rules.ts';
import { enterInstance } from '../instances/instance.ts';
import type { Db } from '../../operations.ts';
import { providerIn, isModeEnabled } from '../payments/payments.ts';
import { applySnapshot } from '../billing/snapshot.ts';

const NAME = 'platform.check-subscriptions';
const HOUR_MS = 3_600_000;
/**
 * Interval after which a subscription is checked again. All are checked once a day, regardless of the schedule's times.
 */
const CHECK_INTERVAL_MS = 23 * HOUR_MS;
const BATCH = 500;

interface UncheckedSubscription {
  id: string;
  /** Workspace, or the instance if no workspace exists yet. */
  workspace_id: string;
  wl_instance_id: string | null;
  provider_ref: string;
  provider_mode: Mode;
}

const findUnchecked = (database: JobContext<Db>['database'], modes: Mode[]): Promise<UncheckedSubscription[]> =>
  findEverywhere<UncheckedSubscription>(
    database,
    NAME,
    rotateByWorkspace(
      sql`
      SELECT id, coalesce(workspace_id, wl_instance_id) AS workspace_id, wl_instance_id, provider_ref, provider_mode, synced_at
      FROM subscriptions WHERE provider_ref IS NOT NULL AND status NOT IN ('canceled', 'incomplete_expired')
        AND provider_mode = ANY (${modes}::text[]) AND coalesce(synced_at, created_at) < ${new Date(clock.now().getTime() - CHECK_INTERVAL_MS)}
        AND ${isNotPostponed(NAME, sql`coalesce(subscriptions.workspace_id, subscriptions.wl_instance_id)`, sql`subscriptions.id`)}`,
      sql`synced_at NULLS FIRST, id`,
      BATCH,
    ),
  );

/** Stores the provider's current state of a subscription. */
async function checkSubscription(
  { database, log }: JobContext<Db>,
  { wl_instance_id, provider_ref, provider_mode }: UncheckedSubscription,
) {
  const fetched_at = clock.now();
  const snapshot = await providerIn(provider_mode).subscription(provider_ref);
  if (!snapshot) throw new Error('The payment provider does not know this subscription. Check the ID.');
  const { outcome } = await database.write(jobTransaction(NAME, null), async (db, emit) => {
    if (wl_instance_id) await enterInstance(wl_instance_id, provider_mode);
    return await applySnapshot({ db, emit }, { snapshot, fetched_at });
  });
  if (outcome === 'impossible' || outcome === 'unknown')
    log.error({ provider_ref, outcome }, 'Subscription differs from the payment provider');
}

/** Expires overdue checkout pages that the provider has not reported, and deletes pages that it never opened. */
async function endCheckouts(all: Db): Promise<void> {
  const now = clock.now();
  const { set, guard } = checkouts.moving('expire');
  await all.rows(sql`
    UPDATE checkout_sessions SET ${set} WHERE expires_at < ${new Date(now.getTime() - HOUR_MS)} AND ${guard}`);
  await all.rows(sql`
    DELETE FROM checkout_sessions WHERE status = 'requested' AND created_at < ${new Date(now.getTime() - 24 * HOUR_MS)}`);
  await all.rows(sql`
    DELETE FROM inbound_events WHERE status = 'ignored_unknown' AND received_at < ${new Date(now.getTime() - 30 * 24 * HOUR_MS)}`);
}

/** Runs every hour, so that a provider outage overnight is caught up in the morning. */
export const checkSubscriptions = declareSchedule(NAME, HOUR_MS, async (tools: JobContext<Db>) => {
  const { database, log } = tools;
  const modes = (['live', 'test'] as const).filter(isModeEnabled);
  if (modes.length > 0)
    await runDueWork(tools, NAME, await findUnchecked(database, modes), (subscription) =>
      checkSubscription(tools, subscription),
    );
  await database.writeEverywhere(jobTransaction(NAME, null), endCheckouts);
  const [failed] = await findEverywhere<{ events: number }>(
    database,
    NAME,
    sql`SELECT count(*) AS events FROM inbound_events WHERE status = 'failed' AND updated_at > ${new Date(clock.now().getTime() - HOUR_MS)}`,
  );
  if (failed && failed.events > 0) log.error({ events: failed.events }, 'Payment-provider events failed');
});
