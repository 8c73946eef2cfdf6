/** The choices of a workspace about its projects: one row, made when the workspace is opened. */
import { change, invalid, NotFound } from '@suite/chassis';
import type { Db } from '../operations.ts';
import type { ProjectSettingsChanges } from './settings.schema.ts';

/** Makes the row of a workspace that holds its choices, with the usual ones, unless it is there. */
export const provideSettings = (db: Db): Promise<unknown> =>
  db.settings.createMany({ data: [{}], skipDuplicates: true });

/** The choices of the workspace. @throws NotFound for who may not see them */
export async function settingsOf(db: Db) {
  const settings = await db.settings.findFirst();
  if (!settings) throw NotFound();
  return settings;
}

/** Changes the choices of the workspace. @throws a 422 for a project that is no template, Stale */
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
