/**
 * Subscriptions that own workspaces bought in test mode, while the operator sold in test mode only. No customer has
 * paid for these subscriptions. With a live key they end here, like a subscription whose first payment never arrived.
 * They grant nothing, and do not reduce what a trial or the operator grants. The workspace buys in live mode like any
 * other.
 */
import { sql } from '@suite/chassis/database';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
} from '@suite/chassis/service';
import { SubscriptionUpdated } from '@suite/proto/platform/v1/events';
import { refreshEntitlements } from '../../entitlements/entitlements/entitlement.ts';
import type { Db } from '../../operations.ts';
import { ownMode } from '../payments/payments.ts';
import { subscriptions, TERMINAL_STATUSES } from './subscription.rules.ts';
import type { SubscriptionRow } from './subscription.view.ts';

const SCHEDULE = 'platform.end-tried-subscriptions';
const INTERVAL_MS = 60_000;
const BATCH = 500;

type BoughtSubscription = Pick<SubscriptionRow, 'wl_instance_id' | 'provider_mode' | 'provider_ref' | 'status'>;

/**
 * Returns true if a subscription was bought in test mode and still runs although the operator now sells in live mode.
 */
export const isTestSubscriptionInLiveMode = ({
  wl_instance_id,
  provider_mode,
  provider_ref,
  status,
}: BoughtSubscription): boolean =>
  wl_instance_id === null &&
  provider_ref !== null &&
  provider_mode === 'test' &&
  ownMode() === 'live' &&
  !TERMINAL_STATUSES.includes(status);

/** Ends a test-mode subscription, in the transaction of its workspace. */
export async function endTestSubscription(
  { db, emit }: { db: Db; emit: Emit },
  { id: subscription_id, workspace_id }: { id: string; workspace_id: string },
): Promise<void> {
  const now = clock.now();
  const { set, guard } = subscriptions.deriving(sql`'incomplete_expired'::text`, 'subscriptions');
  const [ended] = await db.rows<{ plan_code: string }>(sql`
    UPDATE subscriptions SET ${set}, ended_at = ${now}, cancel_at_period_end = FALSE, next_plan = NULL, past_due_since = NULL
    WHERE id = ${subscription_id}::uuid AND provider_mode = 'test' AND wl_instance_id IS NULL AND ${guard}
    RETURNING plan_code`);
  if (!ended) return;
  await refreshEntitlements({ db, emit }, workspace_id, now);
  emit(SubscriptionUpdated, { subscription_id, plan_code: ended.plan_code, status: 'incomplete_expired' });
}

/** Ends all such subscriptions within a minute of the first start with a live key. */
async function endAllTestSubscriptions(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<void> {
  if (ownMode() !== 'live') return;
  const { database } = tools;
  const due = await findEverywhere<{ id: string; workspace_id: string }>(
    database,
    SCHEDULE,
    sql`
      SELECT id, workspace_id FROM subscriptions
      WHERE provider_mode = 'test' AND wl_instance_id IS NULL AND provider_ref IS NOT NULL AND status <> ALL (${[...TERMINAL_STATUSES]}::text[])
        AND ${isNotPostponed(SCHEDULE, sql`workspace_id`, sql`id`)}
      ORDER BY id LIMIT ${BATCH}`,
  );
  await runDueWork(tools, SCHEDULE, due, (subscription) =>
    database.write(jobTransaction(SCHEDULE, subscription.workspace_id), (db, emit) =>
      endTestSubscription({ db, emit }, subscription),
    ),
  );
}

export const endTestSubscriptions = declareSchedule(SCHEDULE, INTERVAL_MS, endAllTestSubscriptions);
