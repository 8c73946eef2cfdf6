/**
 * Records about oneself: nobody decides on them, corrects them or withholds them, the owner included. The exception is a workspace
 * that does without four eyes, and in which nobody else who is active may do it.
 */
import { type Caller, sql } from '@suite/chassis';
import type { Db, Rpc } from '../operations.ts';
import { readSettings } from '../settings/settings.ts';
import { OwnRecord } from './employment.rules.ts';

/** Whether a caller is the only one who may do something, as it was found out before the transaction. */
export interface Alone {
  alone: boolean;
}

interface Means {
  caller: Caller;
  rpc: Pick<Rpc, 'platform'>;
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

/** So many people are asked about at once. */
const BATCH = 500;

/** The colleagues who could do it instead; none where four eyes are kept, or where the caller is no employee. */
const colleaguesOf = ({ caller, read }: Means): Promise<string[] | undefined> =>
  read(async (db) => {
    if ((await readSettings(db)).four_eyes) return undefined;
    const [own] = await db.rows(sql`SELECT FROM employees WHERE user_id = ${caller.user_id}::uuid`);
    if (!own) return undefined;
    const others = await db.rows<{ id: string }>(sql`
      SELECT id FROM users WHERE status = 'active' AND kind IN ('owner', 'staff') AND id <> ${caller.user_id}::uuid ORDER BY id`);
    return others.map(({ id }) => id);
  });

/** Finds out whether the caller is the only active user with a permission, and four eyes are not kept. For `prepare`. */
export const aloneWith =
  (permission: string) =>
  async (means: Means): Promise<Alone> => {
    const others = await colleaguesOf(means);
    if (!others) return { alone: false };
    for (let at = 0; at < others.length; at += BATCH) {
      const { users } = await means.rpc.platform.batchGetRights({ user_ids: others.slice(at, at + BATCH) });
      if (users.some(({ permissions }) => permissions.includes(permission))) return { alone: false };
    }
    return { alone: true };
  };

/** A command on a record about somebody. */
export interface AboutSomebody {
  caller: Caller;
  prepared?: Alone;
}

/** Refuses what somebody does about himself, unless nobody else could. @throws OwnRecord */
export function assertNotOwn({ caller, prepared }: AboutSomebody, { user_id }: { user_id: string | null }): void {
  if (user_id !== null && user_id === caller.user_id && !prepared?.alone) throw OwnRecord();
}
