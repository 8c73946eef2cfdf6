import { sqltag as sql } from '@prisma/client/runtime/client';
import type { Database, Rows } from '../database/database.ts';
import { countRemoved } from './stored-objects.ts';
import type { Storage } from '../operation/storage.ts';
import type { Log } from '../runtime/log.ts';
import { eachDue, notPostponed } from './due-work.ts';
import { every, findEverywhere, type Schedule, scheduled, shareOut } from './schedule.ts';

/** A row of `discarded_files`. */
interface Discarded {
  workspace_id: string;
  key: string;
  /** True if another record still names the file. */
  used: boolean;
}

const BATCH = 100;

/**
 * Declares the removal of stored files that are no longer named by any record. The command that discards a file writes
 * its key into the table `discarded_files`, or the trigger `suite_discard_file` does. The file is deleted after the
 * commit.
 * @param used condition that a record still names the file `gone.key` of the workspace `gone.workspace_id`, as a copy
 * may. Then only the entry is deleted
 */
export const fileRemoval = <Db extends Rows>(
  name: string,
  used = sql`FALSE`,
): Schedule<{ database: Database<Db>; storage: Storage; log: Log }> =>
  every(name, 30_000, async ({ database, storage, log }) => {
    const waiting = notPostponed(name, sql`gone.workspace_id`, sql`gone.key`);
    const found = await findEverywhere<Discarded>(
      database,
      name,
      shareOut(
        sql`SELECT workspace_id, key, ${used} AS used FROM discarded_files AS gone WHERE ${waiting}`,
        sql`key`,
        BATCH,
      ),
    );
    const works = found.map((file) => ({ ...file, id: file.key }));
    await eachDue({ database, log }, name, works, async ({ workspace_id, key, used }) => {
      if (!used) await storage.remove(key);
      await database.write(scheduled(name, workspace_id), async (db) => {
        await db.rows(sql`DELETE FROM discarded_files WHERE key = ${key}`);
        if (!used) await countRemoved(db, key);
      });
    });
  });
