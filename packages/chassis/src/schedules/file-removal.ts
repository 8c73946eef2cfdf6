import { sqltag as sql } from '@prisma/client/runtime/client';
import type { Database, RowReader } from '../database/database.ts';
import { countRemoved } from './stored-objects.ts';
import type { Storage } from '../storage/storage.ts';
import { clock } from '../runtime/clock.ts';
import type { ServiceConfig } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';
import { runDueWork, isNotPostponed } from './due-work.ts';
import { declareSchedule, findEverywhere, type Schedule, jobTransaction, rotateByWorkspace } from './schedule.ts';

/** A row of `discarded_files`. */
interface DiscardedFile {
  workspace_id: string;
  key: string;
  /** True if another record still names the file. */
  used: boolean;
  /** True if the file may be removed from the storage. */
  expired: boolean;
}

/** The tools of the schedule. */
interface RemovalContext<Db> {
  database: Database<Db>;
  storage: Storage;
  log: Log;
  config: Pick<ServiceConfig, 'DISCARDED_FILES_DAYS'>;
}

const BATCH = 100;
const DAY_MS = 86_400_000;

/**
 * Declares the removal of stored files that are no longer named by any record. The command that discards a file writes
 * its key into the table `discarded_files`, or the trigger `suite_discard_file` does. After the commit, the workspace may use
 * the space again. The file itself is deleted `DISCARDED_FILES_DAYS` later: a database that is restored to a time before the
 * commit names it again.
 * @param used condition that a record still names the file `gone.key` of the workspace `gone.workspace_id`, as a copy
 * may. Then only the entry is deleted
 */
export const fileRemoval = <Db extends RowReader>(name: string, used = sql`FALSE`): Schedule<RemovalContext<Db>> =>
  declareSchedule(name, 30_000, async ({ database, storage, log, config: { DISCARDED_FILES_DAYS: days } }) => {
    const waiting = isNotPostponed(name, sql`gone.workspace_id`, sql`gone.key`);
    const isExpired = sql`(${days} = 0 OR gone.discarded_at < ${new Date(clock.now().getTime() - days * DAY_MS)})`;
    const counted = sql`EXISTS (SELECT FROM stored_objects AS counted
      WHERE counted.workspace_id = gone.workspace_id AND counted.key = gone.key)`;
    const found = await findEverywhere<DiscardedFile>(
      database,
      name,
      rotateByWorkspace(
        sql`SELECT workspace_id, key, ${used} AS used, ${isExpired} AS expired FROM discarded_files AS gone
          WHERE (${isExpired} OR ${counted}) AND ${waiting}`,
        sql`key`,
        BATCH,
      ),
    );
    const works = found.map((file) => ({ ...file, id: file.key }));
    await runDueWork({ database, log }, name, works, async ({ workspace_id, key, used, expired }) => {
      if (expired && !used) await storage.remove(key);
      await database.write(jobTransaction(name, workspace_id), async (db) => {
        if (expired || used) await db.rows(sql`DELETE FROM discarded_files WHERE key = ${key}`);
        if (!used) await countRemoved(db, key);
      });
    });
  });
