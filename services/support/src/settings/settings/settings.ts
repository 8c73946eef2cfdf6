/** Settings of a workspace's support desk. */
import { sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';

/** Workspace settings that the rules need. */
export interface DeskSettings {
  reopen_days: number;
  auto_acknowledge: boolean;
  survey: boolean;
  survey_delay_hours: number;
  token_days: number;
}

/** Creates the settings of a workspace with their defaults, unless they exist. */
export const provideSettings = (db: Db, workspace_name = ''): Promise<unknown> =>
  db.settings.createMany({ data: [{ workspace_name }], skipDuplicates: true });

/** Returns the workspace's settings for any caller. Defaults apply while the row does not exist yet. */
export async function readDeskSettings(db: Db): Promise<DeskSettings> {
  const [settings] = await db.rows<DeskSettings>(sql`
    SELECT reopen_days, auto_acknowledge, survey, survey_delay_hours, token_days FROM settings`);
  return settings ?? { reopen_days: 7, auto_acknowledge: true, survey: true, survey_delay_hours: 1, token_days: 90 };
}
