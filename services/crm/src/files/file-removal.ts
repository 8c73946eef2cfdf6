/** Removes stored objects whose last row is gone. The rows of `discarded_files` are made by the database itself. */
import { clock, every, findEverywhere, scheduled, sql, type Tools } from '@suite/chassis';
import type { Db } from '../operations.ts';

const SCHEDULE = 'crm.remove-files';
const BATCH = 100;

interface Discarded {
  workspace_id: string;
  key: string;
  shared: boolean;
}

/** Removes what can be removed. An object that another row still names, as after a conversion, stays. */
export async function removeFiles({ database, storage }: Pick<Tools<Db>, 'database' | 'storage'>): Promise<void> {
  const discarded = await findEverywhere<Discarded>(
    database,
    SCHEDULE,
    sql`
      SELECT workspace_id, key, EXISTS (
        SELECT FROM files WHERE files.workspace_id = gone.workspace_id AND files.key = gone.key) AS shared
      FROM discarded_files AS gone WHERE discarded_at <= ${clock.now()} ORDER BY discarded_at LIMIT ${BATCH}`,
  );
  for (const { workspace_id, key, shared } of discarded) {
    if (!shared) await storage.remove(key);
    await database.write(scheduled(SCHEDULE, workspace_id), (db) => db.discardedFile.deleteMany({ where: { key } }));
  }
}

export const removeDiscardedFiles = every(SCHEDULE, 30_000, removeFiles);
