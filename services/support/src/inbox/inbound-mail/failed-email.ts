/** Failed e-mails: stored unchanged, until a user decides about them or thirty days have passed. */
import { find, sql } from '@suite/chassis/database';
import type { Fault } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
  rotateByWorkspace,
} from '@suite/chassis/service';
import type { Db } from '../../operations.ts';

const SCHEDULE = 'support.forget-mail';
const BATCH = 200;
const DAY_MS = 86_400_000;
const FAILED_EMAIL_MS = 30 * DAY_MS;
const ORIGINAL_MS = 90 * DAY_MS;

/** Stored fields of a failed e-mail. */
export interface NewFailedEmail {
  mailbox_id: string;
  received_key: string;
  size: number;
  raw_key: string;
}

/** Stores a failed e-mail. One that is already stored stays unchanged. @returns its id, and whether it is new */
export async function storeFailed(db: Db, mail: NewFailedEmail, fault: Fault): Promise<{ id: string; isNew: boolean }> {
  const where = { mailbox_id: mail.mailbox_id, received_key: mail.received_key };
  const { reason: detail = null } = (fault.details ?? {}) as { reason?: string };
  const { count } = await db.parkedMail.createMany({
    data: [{ ...mail, reason: fault.code, detail }],
    skipDuplicates: true,
  });
  const failed = await db.parkedMail.findFirst({ where, select: { id: true } });
  return { id: failed!.id, isNew: count > 0 };
}

/** Deletes a failed e-mail and its bytes. */
export async function removeFailed(db: Db, id: string): Promise<{ id: string }> {
  const { raw_key: key } = await find(db.parkedMail, id);
  await db.parkedMail.deleteMany({ where: { id } });
  await db.discardedFile.createMany({ data: [{ key }], skipDuplicates: true });
  return { id };
}

/** Returns a failed e-mail. @throws NotFound */
export const readFailed = (db: Db, id: string) => find(db.parkedMail, id);

/** Returns the mailbox of a failed e-mail. */
export const mailboxOf = (db: Db, id: string) => find(db.mailbox, id);

/** Returns a failed e-mail, with the server whose authentication results count. @throws NotFound */
export async function readFailedWithServer(db: Db, id: string) {
  const failed = await readFailed(db, id);
  const { authentication_server } = await mailboxOf(db, failed.mailbox_id);
  return { ...failed, authentication_server };
}

interface StoredOriginal {
  workspace_id: string;
  id: string;
  raw_key: string;
}

/** Deletes failed e-mails after thirty days, and the bytes of e-mails after ninety. Returns the number of deletions. */
export async function deleteOldMail(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<number> {
  const { database } = tools;
  const waiting = isNotPostponed(SCHEDULE, sql`workspace_id`, sql`id`);
  const timeAgo = (ms: number) => new Date(clock.now().getTime() - ms);
  const failed = await findEverywhere<StoredOriginal>(
    database,
    SCHEDULE,
    rotateByWorkspace(
      sql`SELECT workspace_id, id, raw_key, created_at FROM parked_mails WHERE created_at < ${timeAgo(FAILED_EMAIL_MS)} AND ${waiting}`,
      sql`created_at, id`,
      BATCH,
    ),
  );
  const originals = await findEverywhere<StoredOriginal>(
    database,
    SCHEDULE,
    rotateByWorkspace(
      sql`SELECT workspace_id, id, raw_key, at FROM mail_messages WHERE raw_key IS NOT NULL AND at < ${timeAgo(ORIGINAL_MS)} AND ${waiting}`,
      sql`at, id`,
      BATCH,
    ),
  );
  await runDueWork(tools, SCHEDULE, failed, ({ workspace_id, id }) =>
    database.write(jobTransaction(SCHEDULE, workspace_id), (db) => removeFailed(db, id)),
  );
  await runDueWork(tools, SCHEDULE, originals, ({ workspace_id, id, raw_key: key }) =>
    database.write(jobTransaction(SCHEDULE, workspace_id), async (db) => {
      await db.mailMessage.updateMany({ where: { id }, data: { raw_key: null, updated_at: clock.now() } });
      await db.discardedFile.createMany({ data: [{ key }], skipDuplicates: true });
    }),
  );
  return failed.length + originals.length;
}

export const deleteOldMailHourly = declareSchedule(SCHEDULE, 3_600_000, deleteOldMail);
