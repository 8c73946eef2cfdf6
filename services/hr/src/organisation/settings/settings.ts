/** HR settings of a workspace. */
import { change, sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { z } from 'zod';
import type { Db } from '../../operations.ts';
import type { HrmSettings, HrmSettingsChanges } from './settings.schema.ts';

type Row = z.input<typeof HrmSettings>;
/** Settings as the rules use them, with decimals as text. */
export type Settings = Omit<z.output<typeof HrmSettings>, 'created_by' | 'updated_by' | 'created_at' | 'updated_at'>;

/** Returns the workspace settings, regardless of the caller. The row is created with the workspace. */
export async function readSettings(db: Db): Promise<Settings> {
  const [settings] = await db.rows<Settings>(sql`
    SELECT id, version, timezone, tax_year_start, four_eyes, retention_years, ack_days, approval_reminder_days, show_birthdays,
      clock_on_leave, geofences, clock_addresses, payroll_basis, working_days_basis, overtime_pay, recovery_max_percent, arrears_months,
      payroll_day, auto_draft, overtime_factor::text AS overtime_factor, entitlement_step::text AS entitlement_step
    FROM settings`);
  if (!settings) throw NotFound();
  return settings;
}

/** Returns the settings in the response format. */
export async function showSettings(db: Db): Promise<Row> {
  const settings = await db.settings.findFirst();
  if (!settings) throw NotFound();
  return settings as object as Row;
}

/**
 * Copies time zone and currency of the workspace, unless a later event has already been processed. Creates the settings
 * if the event of the new workspace has not arrived yet.
 */
export async function copyWorkspaceSettings(
  db: Db,
  { timezone, currency }: { timezone: string; currency: string },
  workspace_version: number,
): Promise<void> {
  await db.settings.createMany({ data: [{ timezone }], skipDuplicates: true });
  await db.rows(sql`
    UPDATE settings SET timezone = ${timezone}, currency = ${currency}, workspace_version = ${workspace_version}::bigint
    WHERE workspace_version < ${workspace_version}::bigint RETURNING id`);
}

/**
 * Updates the settings. Stores the currency of the caller for automatic drafts if no event of the workspace has provided
 * it yet. @throws Stale
 */
export async function changeSettings(
  db: Db,
  { version: _, ...changes }: HrmSettingsChanges,
  { expect, currency }: { expect: number | undefined; currency: string },
): Promise<Row> {
  const { id, auto_draft } = await showSettings(db);
  const hasEvent = (await db.settings.count({ where: { workspace_version: { gt: 0 } } })) > 0;
  // Months without automatic drafts are not drafted later.
  const anew = changes.auto_draft && !auto_draft ? { payrolls_through: null } : {};
  return (await change(
    db.settings,
    id,
    { ...changes, ...anew, ...(!hasEvent && { currency }) },
    expect,
  )) as object as Row;
}
