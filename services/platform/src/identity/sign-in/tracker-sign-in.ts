/** Sign-in for time tracking. It works like any sign-in, but the session can do nothing else. */
import { type Database, sql } from '@suite/chassis/database';
import { Fault, Forbidden, ModuleDisabled, NotFound } from '@suite/chassis/faults';
import type { Keys } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { EFFECTIVE_MODULES, joinEffectivePlan } from '../../entitlements/entitlements/entitlement.ts';
import { withoutCaller, type Db } from '../../operations.ts';
import type { Login } from '../sessions/session.schema.ts';
import type { z } from 'zod';
import { checkPassword, enterByPassword } from './password-sign-in.ts';
import { openSignIn } from './sign-in.ts';

const MODULE = 'timetracker';

/** User of a tracker, as the program shows them. */
interface TrackerUser {
  email: string;
  kind: string;
  modules: string[];
  workspace_name: string;
  week_start: number;
}

async function readTrackerUser(db: Db, user_id: string): Promise<TrackerUser> {
  const [row] = await db.rows<TrackerUser>(sql`
    SELECT email, kind, ${EFFECTIVE_MODULES} AS modules, workspaces.name AS workspace_name, week_start
    FROM users JOIN workspaces ON workspaces.id = users.workspace_id ${joinEffectivePlan(clock.now())}
    WHERE users.id = ${user_id}::uuid`);
  if (!row) throw NotFound();
  return row;
}

/** Returns the fault for a user who cannot track time, if there is one. */
async function trackerFault(db: Db, user_id: string): Promise<Fault | undefined> {
  const { kind, modules } = await readTrackerUser(db, user_id);
  if (!modules.includes(MODULE)) return ModuleDisabled({ module: MODULE });
  return kind === 'owner' || kind === 'staff' ? undefined : Forbidden({ kind });
}

/** Credentials of an unauthenticated caller, with their origin. */
type TrackerLogin = z.output<typeof Login> & { address: string; user_agent: string };

/** Opens a session for tracking time. @throws the faults of a sign-in, ModuleDisabled, Forbidden */
export async function signInToTrack(
  { database, keys, request_id }: { database: Database<Db>; keys: Keys; request_id: string },
  { address, user_agent, ...credentials }: TrackerLogin,
) {
  const context = { ...withoutCaller('rpc:sign-in-to-track'), request_id };
  const request = { id: request_id, address, user_agent };
  const checked = await checkPassword((work) => database.read(context, work), credentials, request);
  // The transaction returns the fault, so that the counted attempt is committed.
  const signedIn = await database.write(context, async (db) => {
    const furtherFault = (id: string) => trackerFault(db, id);
    const user_id = await enterByPassword(db, checked, { request, purpose: 'tracker', furtherFault });
    if (user_id instanceof Fault) return user_id;
    const { device_token } = credentials;
    const user = { user_id, device_token, purpose: 'tracker' as const };
    return await openSignIn({ db, keys, request }, user, () => readTrackerUser(db, user_id));
  });
  if (signedIn instanceof Fault) throw signedIn;
  return signedIn;
}
