/**
 * Applies due records: promotions and transfers take effect at 00:00 of their day in the workspace zone, and warnings
 * expire. Changes missed during downtime follow later, in order of their days.
 */
import { sql } from '@suite/chassis/database';
import { Fault } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { eachDue, every, findEverywhere, notPostponed, scheduled, type Tools, shareOut } from '@suite/chassis/service';
import { TAKE_EFFECT } from '../../employees/employee-records/employee-record.rules.ts';
import { transferEffects } from '../employee-transfers/employee-transfer.ts';
import type { Db } from '../../operations.ts';
import { promotionEffects } from '../promotions/promotion.ts';
import type { DatedEffect } from '../term-changes/term-change.ts';
import { expireWarning } from '../warnings/warning.ts';

interface Due {
  workspace_id: string;
  id: string;
  kind: 'transfer' | 'promotion' | 'warning';
  /** Current day in the workspace zone. */
  day: string;
}

type Works = Pick<Tools<Db>, 'database' | 'log' | 'keys'>;

const BATCH = 500;
const INTERVAL_MS = 10_000;
/** Lowest status of a server error. A lower status means that the change caused the fault. */
const OURS = 500;

/** Transfers come first, so that a promotion on the same day applies to the new department. */
const due = () =>
  shareOut(
    sql`
  WITH zones AS (SELECT workspace_id, (${clock.now()}::timestamptz AT TIME ZONE timezone)::date AS day FROM settings),
  found AS (
    SELECT workspace_id, id, 1 AS rank, 'transfer' AS kind, effective_date AS since, day FROM employee_transfers
      JOIN zones USING (workspace_id) WHERE status = 'approved' AND effective_date <= day
    UNION ALL SELECT workspace_id, id, 2, 'promotion', effective_date, day FROM promotions
      JOIN zones USING (workspace_id) WHERE status = 'approved' AND effective_date <= day
    UNION ALL SELECT workspace_id, id, 3, 'warning', expires_on, day FROM warnings
      JOIN zones USING (workspace_id) WHERE status IN ('issued', 'acknowledged') AND expires_on <= day)
  SELECT workspace_id, id, kind, day, since, rank FROM found WHERE ${notPostponed(TAKE_EFFECT, sql`workspace_id`, sql`id`)}`,
    sql`since, rank, id`,
    BATCH,
  );

/** Checks if an error is a permanent fault of the change itself. */
const isRefusal = (error: unknown): error is Fault => error instanceof Fault && error.status < OURS && !error.retryable;

/** Applies a change. An impossible change lapses with the reason as remark. */
async function takeEffect({ database, keys }: Works, { workspace_id, id, day }: Due, effect: DatedEffect) {
  const context = scheduled(TAKE_EFFECT, workspace_id);
  try {
    await database.write(context, (db, emit) => effect.takeEffect({ db, emit, keys }, id, day));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const why = Object.values(error.errors ?? {})[0]?.[0] ?? error.message;
    await database.write(context, (db) => effect.lapse(db, id, why));
  }
}

const EFFECTS = { transfer: transferEffects, promotion: promotionEffects };

/** Applies all due records in all workspaces. */
export async function takeAllEffects(tools: Works): Promise<void> {
  const found = await findEverywhere<Due>(tools.database, TAKE_EFFECT, due());
  await eachDue(tools, TAKE_EFFECT, found, async (one) => {
    if (one.kind !== 'warning') return await takeEffect(tools, one, EFFECTS[one.kind]);
    await tools.database.write(scheduled(TAKE_EFFECT, one.workspace_id), (db) => expireWarning(db, one.id));
  });
}

export const takeDueEffects = every(TAKE_EFFECT, INTERVAL_MS, (tools: Tools<Db>) => takeAllEffects(tools));
