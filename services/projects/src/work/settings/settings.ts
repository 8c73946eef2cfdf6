/** Project settings of a workspace: one row, created with the workspace. */
import { change } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import type { Db } from '../../operations.ts';
import type { ProjectSettingsChanges } from './settings.schema.ts';

/** Creates the settings of a workspace with their defaults, unless they exist. */
export const provideSettings = (db: Db): Promise<unknown> =>
  db.settings.createMany({ data: [{}], skipDuplicates: true });

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
