/** The choices of a workspace about its support desk. */
import { sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** The choices of a workspace that the rules need. */
export interface Choices {
  reopen_days: number;
  auto_acknowledge: boolean;
  survey: boolean;
  survey_delay_hours: number;
  token_days: number;
}

/** Makes the row of a workspace that holds its choices, with the usual ones, unless it is there. */
export const provideSettings = (db: Db, workspace_name = ''): Promise<unknown> =>
  db.settings.createMany({ data: [{ workspace_name }], skipDuplicates: true });

/** The choices of the workspace, whoever asks; the usual ones where the row is still on its way. */
export async function readChoices(db: Db): Promise<Choices> {
  const [choices] = await db.rows<Choices>(sql`
    SELECT reopen_days, auto_acknowledge, survey, survey_delay_hours, token_days FROM settings`);
  return choices ?? { reopen_days: 7, auto_acknowledge: true, survey: true, survey_delay_hours: 1, token_days: 90 };
}
