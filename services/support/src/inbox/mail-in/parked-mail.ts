/** Failed e-mails: stored unchanged, until a user decides about them or thirty days have passed. */
import { find, sql } from '@suite/chassis/database';
import type { Fault } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { eachDue, every, findEverywhere, notPostponed, scheduled, type Tools, shareOut } from '@suite/chassis/service';
import type { Db } from '../../operations.ts';

const SCHEDULE = 'support.forget-mail';
const BATCH = 200;
const DAY_MS = 86_400_000;
const PARKED_MS = 30 * DAY_MS;
const RAW_MS = 90 * DAY_MS;

/** Stored fields of a failed e-mail. */
export interface Parking {
  mailbox_id: string;
  received_key: string;
  size: number;
  raw_key: string;
}

/** Stores a failed e-mail. One that is already stored stays unchanged. @returns its id, and whether it is new */
export async function parkMail(db: Db, mail: Parking, fault: Fault): Promise<{ id: string; isNew: boolean }> {
  const where = { mailbox_id: mail.mailbox_id, received_key: mail.received_key };
  const { reason: detail = null } = (fault.details ?? {}) as { reason?: string };
  const { count } = await db.parkedMail.createMany({
    data: [{ ...mail, reason: fault.code, detail }],
    skipDuplicates: true,
  });
  const parked = await db.parkedMail.findFirst({ where, select: { id: true } });
  return { id: parked!.id, isNew: count > 0 };
}

/** Deletes a failed e-mail and its bytes. */
export async function removeParked(db: Db, id: string): Promise<{ id: string }> {
  const { raw_key: key } = await find(db.parkedMail, id);
  await db.parkedMail.deleteMany({ where: { id } });
  await db.discardedFile.createMany({ data: [{ key }], skipDuplicates: true });
  return { id };
}

/** Returns a failed e-mail. @throws NotFound */
export const readParked = (db: Db, id: string) => find(db.parkedMail, id);

/** Returns the mailbox of a failed e-mail. */
export const mailboxOf = (db: Db, id: string) => find(db.mailbox, id);

/** Returns a failed e-mail, with the server whose authentication results count. @throws NotFound */
export async function readParkedWithServer(db: Db, id: string) {
  const parked = await readParked(db, id);
  const { authentication_server } = await mailboxOf(db, parked.mailbox_id);
  return { ...parked, authentication_server };
}

interface Kept {
  workspace_id: string;
  id: string;
  raw_key: string;
}

/** Deletes failed e-mails after thirty days, and the bytes of e-mails after ninety. Returns the number of deletions. */
export async function forgetMail(tools: Pick<Tools<Db>, 'database' | 'log'>): Promise<number> {
  const { database } = tools;
  const waiting = notPostponed(SCHEDULE, sql`workspace_id`, sql`id`);
  const ago = (ms: number) => new Date(clock.now().getTime() - ms);
  const parked = await findEverywhere<Kept>(
    database,
    SCHEDULE,
    shareOut(
      sql`SELECT workspace_id, id, raw_key, created_at FROM parked_mails WHERE created_at < ${ago(PARKED_MS)} AND ${waiting}`,
      sql`created_at, id`,
      BATCH,
    ),
  );
  const raw = await findEverywhere<Kept>(
    database,
    SCHEDULE,
    shareOut(
      sql`SELECT workspace_id, id, raw_key, at FROM mail_messages WHERE raw_key IS NOT NULL AND at < ${ago(RAW_MS)} AND ${waiting}`,
      sql`at, id`,
      BATCH,
    ),
  );
  await eachDue(tools, SCHEDULE, parked, ({ workspace_id, id }) =>
    database.write(scheduled(SCHEDULE, workspace_id), (db) => removeParked(db, id)),
  );
  await eachDue(tools, SCHEDULE, raw, ({ workspace_id, id, raw_key: key }) =>
    database.write(scheduled(SCHEDULE, workspace_id), async (db) => {
      await db.mailMessage.updateMany({ where: { id }, data: { raw_key: null, updated_at: clock.now() } });
      await db.discardedFile.createMany({ data: [{ key }], skipDuplicates: true });
    }),
  );
  return parked.length + raw.length;
}

export const forgetOldMail = every(SCHEDULE, 3_600_000, forgetMail);
