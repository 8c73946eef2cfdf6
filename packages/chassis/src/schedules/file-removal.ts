import { sqltag as sql } from '@prisma/client/runtime/client';
import type { Database, RowReader } from '../database/database.ts';
import { countRemoved } from './stored-objects.ts';
import type { Storage } from '../storage/storage.ts';
import type { Log } from '../runtime/log.ts';
import { runDueWork, isNotPostponed } from './due-work.ts';
import { declareSchedule, findEverywhere, type Schedule, jobTransaction, rotateByWorkspace } from './schedule.ts';

/** A row of `discarded_files`. */
interface DiscardedFile {
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
export const fileRemoval = <Db extends RowReader>(
  name: string,
  used = sql`FALSE`,
): Schedule<{ database: Database<Db>; storage: Storage; log: Log }> =>
  declareSchedule(name, 30_000, async ({ database, storage, log }) => {
    const waiting = isNotPostponed(name, sql`gone.workspace_id`, sql`gone.key`);
    const found = await findEverywhere<DiscardedFile>(
      database,
      name,
      rotateByWorkspace(
        sql`SELECT workspace_id, key, ${used} AS used FROM discarded_files AS gone WHERE ${waiting}`,
        sql`key`,
        BATCH,
      ),
    );
    const works = found.map((file) => ({ ...file, id: file.key }));
    await runDueWork({ database, log }, name, works, async ({ workspace_id, key, used }) => {
      if (!used) await storage.remove(key);
      await database.write(jobTransaction(name, workspace_id), async (db) => {
        await db.rows(sql`DELETE FROM discarded_files WHERE key = ${key}`);
        if (!used) await countRemoved(db, key);
      });
    });
  });
