/**
 * Storage sums of workspaces, reported to the service that knows their plans, and the count of files from earlier
 * releases.
 */
import { sqltag as sql } from '@prisma/client/runtime/client';
import type { Database, RowReader } from '../database/database.ts';
import { countStored } from './stored-objects.ts';
import type { Storage } from '../storage/storage.ts';
import { clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { runDueWork, isNotPostponed } from './due-work.ts';
import { declareSchedule, findEverywhere, type Schedule, jobTransaction } from './schedule.ts';

/** A missing response is requested again the next time. Uploads use the last response until then. */
const WAITS_S = [60];

/** The total size of a workspace's files in a service. */
export interface StorageReport {
  workspace_id: string;
  /** The size in bytes, a whole number as text because of its length. */
  bytes: string;
}

/** The total size in other services, and the limit of the plan. Undefined for no limit. */
interface StorageLimit {
  elsewhere_bytes: string;
  allowed_mb?: number | undefined;
}

/**
 * Declares the reports of a service's storage totals, once a minute: first the changed totals, then the totals near a
 * limit.
 * @param report sends the total and returns the response
 */
export const storageReports = <T extends { database: Database<RowReader>; log: Log }>(
  name: string,
  report: (tools: T, use: StorageReport) => Promise<StorageLimit>,
): Schedule<T> =>
  declareSchedule(name, 60_000, async (tools: T) => {
    const [{ database, log }, now] = [tools, clock.now()];
    const due = await findEverywhere<StorageReport>(
      database,
      name,
      sql`SELECT workspace_id, bytes::text AS bytes FROM storage_use
        WHERE (bytes <> reported_bytes OR (bytes + elsewhere_bytes) * 5 >= allowed_mb::bigint * 4194304)
          AND (bytes <> reported_bytes OR allowed_mb > 0 OR (reported_at < ${now}::timestamptz - interval '10 minutes') IS NOT FALSE)
          AND ${isNotPostponed(name, sql`storage_use.workspace_id`)}
        ORDER BY bytes = reported_bytes, reported_at NULLS FIRST LIMIT 200`,
    );
    await runDueWork({ database, log, waits_s: WAITS_S }, name, due, async ({ workspace_id, bytes }) => {
      const { elsewhere_bytes, allowed_mb = null } = await report(tools, { workspace_id, bytes });
      await database.write(jobTransaction(name, workspace_id), (db) =>
        db.rows(sql`
          UPDATE storage_use SET reported_bytes = ${bytes}::bigint, elsewhere_bytes = ${elsewhere_bytes}::bigint,
            allowed_mb = ${allowed_mb}::integer, reported_at = ${now}
          WHERE workspace_id = ${workspace_id}::uuid`),
      );
    });
  });

const COUNT = 'chassis.count-earlier-files';
const COUNTED = sql`SELECT workspace_id FROM storage_use WHERE is_complete`;

/** Counts the files of earlier releases once, because these releases did not count files. */
export const countEarlierFiles = declareSchedule(
  COUNT,
  600_000,
  async ({ database, storage, log }: { database: Database<unknown>; storage: Storage; log: Log }) => {
    const rows = database as Database<RowReader>;
    const known = await findEverywhere<{ workspace_id: string }>(rows, COUNT, COUNTED);
    const counted = new Set(known.map(({ workspace_id }) => workspace_id));
    const due = (await storage.workspaces()).filter((id) => !counted.has(id)).map((workspace_id) => ({ workspace_id }));
    await runDueWork({ database, log }, COUNT, due, async ({ workspace_id }) => {
      const files = await storage.settled(workspace_id);
      await rows.write(jobTransaction(COUNT, workspace_id), async (db) => {
        await countStored(db, files, { caller: null, refuses: false });
        await db.rows(sql`UPDATE storage_use SET is_complete = true WHERE workspace_id = ${workspace_id}::uuid`);
      });
    });
  },
);
