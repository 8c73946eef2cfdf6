/**
 * Rules for the caller's own record. Callers, owners included, cannot decide on, correct or withhold it. Exception: a
 * workspace without four-eyes approval in which no other active user has the permission.
 */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import type { Db, Rpc } from '../../operations.ts';
import { readSettings } from '../../organisation/settings/settings.ts';
import { OwnRecord } from './employment.rules.ts';

/** True if the caller is the only user with a permission, determined before the transaction. */
export interface SoleApprover {
  alone: boolean;
}

interface ApproverLookup {
  caller: Caller;
  rpc: Pick<Rpc, 'platform'>;
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

/** Number of users per request to platform. */
const BATCH = 500;

/**
 * Returns other users who could make the change. None if a second person must approve, or if the caller is not an
 * employee.
 */
const colleaguesOf = ({ caller, read }: ApproverLookup): Promise<string[] | undefined> =>
  read(async (db) => {
    if ((await readSettings(db)).four_eyes) return undefined;
    const [own] = await db.rows(sql`SELECT FROM employees WHERE user_id = ${caller.user_id}::uuid`);
    if (!own) return undefined;
    const others = await db.rows<{ id: string }>(sql`
      SELECT id FROM users WHERE status = 'active' AND kind IN ('owner', 'staff') AND id <> ${caller.user_id}::uuid ORDER BY id`);
    return others.map(({ id }) => id);
  });

/** Checks if the caller is the only active user with a permission and needs no second approver. For `prepare`. */
export const soleApproverFor =
  (permission: string) =>
  async (context: ApproverLookup): Promise<SoleApprover> => {
    const others = await colleaguesOf(context);
    if (!others) return { alone: false };
    for (let at = 0; at < others.length; at += BATCH) {
      const { users } = await context.rpc.platform.batchGetRights({ user_ids: others.slice(at, at + BATCH) });
      if (users.some(({ permissions }) => permissions.includes(permission))) return { alone: false };
    }
    return { alone: true };
  };

/** Context of a command on an employee's record. */
export interface RecordContext {
  caller: Caller;
  prepared?: SoleApprover;
}

/** Rejects callers who act on their own record, unless no other user could. @throws OwnRecord */
export function assertNotOwn({ caller, prepared }: RecordContext, { user_id }: { user_id: string | null }): void {
  if (user_id !== null && user_id === caller.user_id && !prepared?.alone) throw OwnRecord();
}
