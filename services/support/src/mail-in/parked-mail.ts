/** E-mails that could not be taken in: kept as they came, until somebody decides about them or thirty days are over. */
import {
  clock,
  eachDue,
  every,
  type Fault,
  find,
  findEverywhere,
  notPostponed,
  scheduled,
  sql,
  type Tools,
  shareOut,
} from '@suite/chassis';
import type { Db } from '../operations.ts';

const SCHEDULE = 'support.forget-mail';
const BATCH = 200;
const DAY_MS = 86_400_000;
const PARKED_MS = 30 * DAY_MS;
const RAW_MS = 90 * DAY_MS;

/** The stored fields of such an e-mail. */
export interface Parking {
  mailbox_id: string;
  received_key: string;
  size: number;
  raw_key: string;
}

/** Parks an e-mail; one that was parked already stays as it is. @returns its id, and whether it is kept anew */
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

/** Deletes a parked e-mail, and its bytes with it. */
export async function removeParked(db: Db, id: string): Promise<{ id: string }> {
  const { raw_key: key } = await find(db.parkedMail, id);
  await db.parkedMail.deleteMany({ where: { id } });
  await db.discardedFile.createMany({ data: [{ key }], skipDuplicates: true });
  return { id };
}

/** A parked e-mail. @throws NotFound */
export const readParked = (db: Db, id: string) => find(db.parkedMail, id);

/** The mailbox of a parked e-mail. */
export const mailboxOf = (db: Db, id: string) => find(db.mailbox, id);

/** A parked e-mail, with the server whose words about its sender count. @throws NotFound */
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

/** Forgets what was parked for thirty days, and the bytes of e-mails after ninety. Returns how many. */
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
