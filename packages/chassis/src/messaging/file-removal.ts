import { type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { Database, Rows } from '../database/database.ts';
import type { Storage } from '../operation/storage.ts';
import { every, findEverywhere, type Schedule, scheduled } from './schedule.ts';

/** A row of `discarded_files`. */
interface Discarded {
  workspace_id: string;
  key: string;
  /** Whether some record names the file nevertheless. */
  used: boolean;
}

/**
 * Declares the removal of stored files that no record names any more. The command that discards a file writes its key into
 * the table `discarded_files`; the file goes once that is certain.
 * @param due selects `workspace_id`, `key` and `used` of the files to remove, the oldest first
 */
export const fileRemoval = <Db extends Rows>(
  name: string,
  interval_ms: number,
  due: () => Sql,
): Schedule<{ database: Database<Db>; storage: Storage }> =>
  every(name, interval_ms, async ({ database, storage }) => {
    for (const { workspace_id, key, used } of await findEverywhere<Discarded>(database, name, due())) {
      if (!used) await storage.remove(key);
      await database.write(scheduled(name, workspace_id), (db) =>
        db.rows(sql`DELETE FROM discarded_files WHERE key = ${key}`),
      );
    }
  });
