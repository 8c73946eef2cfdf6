import type { Db } from '../operations.ts';

/** Makes the row of a workspace that holds its choices, with the usual ones, unless it is there. */
export const provideSettings = (db: Db): Promise<unknown> =>
  db.settings.createMany({ data: [{}], skipDuplicates: true });
