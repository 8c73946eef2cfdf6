/** Project settings of a workspace: one row, created with the workspace. */
import { change, sql } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import type { Db } from '../../operations.ts';
import type { ProjectSettingsChanges } from './settings.schema.ts';

/** Creates the settings of a workspace with their defaults, unless they exist. */
export const provideSettings = (db: Db): Promise<unknown> =>
  db.settings.createMany({ data: [{}], skipDuplicates: true });

/**
 * Copies the time zone of the workspace, unless a later event has already been processed. The next daily e-mails of users
 * without a time zone of their own are then determined again.
 */
export async function copyTimezone(db: Db, timezone: string, workspace_version: number): Promise<void> {
  await provideSettings(db);
  const copied = await db.rows<{ changed: boolean }>(sql`
    WITH before AS (SELECT id, timezone FROM settings FOR NO KEY UPDATE)
    UPDATE settings SET timezone = ${timezone}, workspace_version = ${workspace_version}::bigint FROM before
    WHERE before.id = settings.id AND workspace_version < ${workspace_version}::bigint
    RETURNING before.timezone <> ${timezone} AS changed`);
  if (copied[0]?.changed) await db.rows(sql`UPDATE users SET digest_at = NULL WHERE zone IS NULL RETURNING id`);
}

/** Returns the settings of the workspace. @throws NotFound if the caller cannot see them */
export async function settingsOf(db: Db) {
  const settings = await db.settings.findFirst();
  if (!settings) throw NotFound();
  return settings;
}

/** Changes the settings of the workspace. @throws a 422 for a project that is not a template, Stale */
export async function changeSettings(
  db: Db,
  { version: _, ...patch }: ProjectSettingsChanges,
  expect: number | undefined,
) {
  const { deal_template_id } = patch;
  if (deal_template_id) {
    const template = await db.project.findFirst({ where: { id: deal_template_id, is_template: true, active: true } });
    if (!template) throw invalid('deal_template_id', 'Template not found.');
  }
  const { id } = await settingsOf(db);
  return await change(db.settings, id, patch, expect);
}
