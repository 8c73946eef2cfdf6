/** Deletes rows of the chassis after their retention, and maintains the partitions of the journal. */
import type { Database } from '../database/database.ts';
import type { ServiceConfig } from '../runtime/config.ts';
import { declareSchedule } from '../schedules/schedule.ts';

/** Conditions of the expired rows, in small batches. The journal has settings of its own. */
const EXPIRED_ROWS = [
  `idempotency_keys WHERE ctid IN (SELECT ctid FROM idempotency_keys WHERE created_at < now() - interval '24 hours' LIMIT 1000)`,
  `inbox WHERE ctid IN (SELECT ctid FROM inbox WHERE received_at < now() - interval '14 days' LIMIT 1000)`,
  // The fence of a deleted record remains until it expires. A rejected deletion lifts its fence.
  `known_records AS known USING deletion_fences AS fence WHERE fence.until < now() AND known.workspace_id = fence.workspace_id
    AND known.noun = fence.noun AND known.record_id = fence.record_id`,
  `deletion_fences WHERE ctid IN (SELECT ctid FROM deletion_fences WHERE until < now() LIMIT 1000)`,
  // Work that was not found again for this long has been done in another way.
  `postponed_work WHERE ctid IN (SELECT ctid FROM postponed_work WHERE due_at < now() - interval '7 days' LIMIT 1000)`,
];

const MAINTAIN = 'SELECT suite_maintain_journal($1, $2) AS has_more';

interface RetentionContext {
  database: Database;
  config: Pick<ServiceConfig, 'JOURNAL_CHANGES_DAYS' | 'JOURNAL_EVENTS_DAYS'>;
}

/** Deletes expired rows. Creates the next partitions of the journal, and removes expired changes and events of whole months. */
export const prune = declareSchedule(
  'chassis.prune',
  600_000,
  async ({ database: { pool }, config }: RetentionContext) => {
    for (const rows of EXPIRED_ROWS) {
      while ((await pool.query(`DELETE FROM ${rows}`)).rowCount);
    }
    const days = [config.JOURNAL_CHANGES_DAYS, config.JOURNAL_EVENTS_DAYS];
    while ((await pool.query<{ has_more: boolean }>(MAINTAIN, days)).rows[0]?.has_more);
  },
);
