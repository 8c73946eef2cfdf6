import { type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { Database, Rows } from '../database/database.ts';
import type { Storage } from '../operation/storage.ts';
import type { Log } from '../runtime/log.ts';
import { eachDue, notPostponed } from './due-work.ts';
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
 * @param due selects `workspace_id`, `key` and `used` of the files to remove, the oldest first, called `gone`, of those that meet its condition
 */
export const fileRemoval = <Db extends Rows>(
  name: string,
  interval_ms: number,
  due: (notPostponed: Sql) => Sql,
): Schedule<{ database: Database<Db>; storage: Storage; log: Log }> =>
  every(name, interval_ms, async ({ database, storage, log }) => {
    const waiting = notPostponed(name, sql`gone.workspace_id`, sql`gone.key`);
    const found = await findEverywhere<Discarded>(database, name, due(waiting));
    const works = found.map((file) => ({ ...file, id: file.key }));
    await eachDue({ database, log }, name, works, async ({ workspace_id, key, used }) => {
      if (!used) await storage.remove(key);
      await database.write(scheduled(name, workspace_id), (db) =>
        db.rows(sql`DELETE FROM discarded_files WHERE key = ${key}`),
      );
    });
  });
