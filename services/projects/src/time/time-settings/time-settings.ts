/** Time settings of a workspace. */
import { randomUUIDv7 } from 'node:crypto';
import { assertVersion, sql } from '@suite/chassis/database';
import { Forbidden, invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { clock, today } from '@suite/chassis/runtime';
import { type PlatformUser, upsertUserCopies } from '@suite/user-copies';
import type { Db } from '../../operations.ts';
import { lockedThrough, type PeriodSettings } from './period.rules.ts';
import type { Rounding } from './rounding.rules.ts';
import type { TimeSettingsChanges } from './time-settings.schema.ts';

/** Time tracking settings of a workspace. */
export interface StoredTimeSettings extends PeriodSettings {
  late_time: boolean;
  on_second_start: string;
  auto_stop_hours: number;
  max_offline_days: number;
  min_seconds: number;
  rounding: Rounding | null;
  self_approval: boolean;
  hourly_rate: string | null;
  cost_rate: string | null;
  invoice_member_names: boolean;
  version: number;
}

const columns = sql`late_time, on_second_start, auto_stop_hours, max_offline_days, min_seconds, rounding, self_approval,
  locked_through::text AS locked_through, lock_period, grace_days, hourly_rate, cost_rate, invoice_member_names, version`;

/** Returns the time tracking settings of the caller's workspace. */
export async function timeSettings(db: Db): Promise<StoredTimeSettings> {
  const [row] = await db.rows<StoredTimeSettings>(sql`SELECT ${columns} FROM settings`);
  return row!;
}

/** Returns the settings in the form for all users, including user rates. */
export async function viewTimeSettings(db: Db, caller: Caller) {
  const settings = await timeSettings(db);
  const user_rates = await db.rows<{ user_id: string; hourly_rate: string | null; cost_rate: string | null }>(sql`
    SELECT user_id, hourly_rate, cost_rate FROM time_rates ORDER BY user_id`);
  return { ...settings, closed_through: lockedThrough(settings, today(caller.timezone)), user_rates };
}

/**
 * Rejects changes that need a permission which the caller lacks. @throws Forbidden, and a 422 for a lock of future days
 */
function assertMayChange(caller: Caller, { locked_through, version: _, ...changes }: TimeSettingsChanges): void {
  const needed = [
    ...(Object.keys(changes).length > 0 || locked_through === undefined ? ['workspace.update'] : []),
    ...(locked_through === undefined ? [] : ['time.approve']),
  ];
  const missing = needed.find((permission) => !caller.permissions.includes(permission));
  if (missing) throw Forbidden({ permission: missing });
  if (locked_through && locked_through > today(caller.timezone))
    throw invalid('locked_through', 'Future days cannot be locked.');
}

/** Changes the time settings. @throws Forbidden, Stale */
export async function changeTimeSettings(
  { db, caller }: { db: Db; caller: Caller },
  changes: TimeSettingsChanges,
  { expect, people }: { expect: number | undefined; people: readonly PlatformUser[] },
) {
  assertMayChange(caller, changes);
  const [before] = await db.rows<{ id: string; version: number }>(
    sql`SELECT id, version FROM settings FOR NO KEY UPDATE`,
  );
  assertVersion(before!, expect);
  const { user_rates = [], rounding, locked_through, version: _, ...plain } = changes;
  const locked = locked_through === undefined ? undefined : locked_through && new Date(locked_through);
  const given = { ...plain, ...(locked !== undefined && { locked_through: locked }) };
  // The response includes the rates of users, so the version counts their changes, too.
  const touched = user_rates.length > 0 ? { updated_at: clock.now() } : {};
  if (Object.keys({ ...given, ...touched }).length > 0)
    await db.settings.updateMany({ data: { ...given, ...touched } });
  if (rounding !== undefined)
    await db.rows(sql`UPDATE settings SET rounding = ${rounding === null ? null : JSON.stringify(rounding)}::jsonb`);
  await upsertUserCopies(db, people);
  for (const { user_id, hourly_rate, cost_rate } of user_rates) {
    await db.rows(sql`
      INSERT INTO time_rates (id, user_id, hourly_rate, cost_rate)
      VALUES (${randomUUIDv7()}::uuid, ${user_id}::uuid, ${hourly_rate}::numeric, ${cost_rate}::numeric)
      ON CONFLICT (workspace_id, user_id) DO UPDATE
      SET hourly_rate = EXCLUDED.hourly_rate, cost_rate = EXCLUDED.cost_rate`);
  }
  return await viewTimeSettings(db, caller);
}
