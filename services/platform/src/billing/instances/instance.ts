/** Creates and suspends white-label instances, and rotates their tokens and secrets. */
import { setLocally, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { tokenHash } from '../../tokens/token.ts';
import type { Db } from '../../operations.ts';
import { type Mode, newInstanceToken, tokenHints } from './instance.rules.ts';

const HOUR_MS = 3_600_000;
const hoursFromNow = (hours: number): Date => new Date(clock.now().getTime() + hours * HOUR_MS);

/** Number of hours for which signatures with the previous secret are accepted. */
const SECRET_OVERLAP_H = 24;

/** Restricts a transaction without an instance to the rows of one instance. */
export const enterInstance = (id: string, mode: Mode): Promise<unknown> =>
  setLocally({ wl_instance_id: id, wl_mode: mode });

/** Creates an instance. The transaction must already be restricted to the instance. */
export async function createInstance(db: Db, instance: { id: string; name: string; domain: string }): Promise<void> {
  await db.wlInstance.create({ data: { ...instance, wl_instance_id: instance.id } });
}

/** Suspends an instance, or readmits its tokens. Sold subscriptions continue. */
export async function suspendInstance(db: Db, id: string, isSuspended: boolean): Promise<void> {
  await db.wlInstance.updateMany({ where: { id }, data: { status: isSuspended ? 'suspended' : 'active' } });
}

/**
 * Creates a token. One other token of its mode remains valid for the overlap, so that programs can be updated. All
 * others are revoked immediately.
 * @param remaining.id the token that remains. Defaults to the newest one
 */
export async function issueToken(
  db: Db,
  instance_id: string,
  mode: Mode,
  remaining: { id?: string | undefined; overlap_hours: number },
) {
  // Serialises concurrent rotations: the later one either revokes or keeps the token of the earlier one.
  await db.rows(sql`SELECT id FROM wl_instances WHERE id = ${instance_id}::uuid FOR UPDATE`);
  const now = clock.now();
  const until = hoursFromNow(remaining.overlap_hours);
  const validTokens = await db.wlToken.findMany({
    where: { mode, OR: [{ expires_at: null }, { expires_at: { gt: now } }] },
    orderBy: { id: 'desc' },
  });
  const remainingToken = validTokens.find(({ id }) => id === remaining.id) ?? validTokens[0];
  // A token that expires earlier is not extended.
  const old_expires_at =
    remainingToken?.expires_at && remainingToken.expires_at < until ? remainingToken.expires_at : until;
  for (const { id, expires_at } of validTokens) {
    const ends = id === remainingToken?.id ? old_expires_at : now;
    if (!expires_at || expires_at > ends) await db.wlToken.updateMany({ where: { id }, data: { expires_at: ends } });
  }
  const token = newInstanceToken(mode);
  const hints = tokenHints(token);
  const { id, created_at } = await db.wlToken.create({
    data: { wl_instance_id: instance_id, token_hash: tokenHash(token), ...hints, mode },
  });
  return { id, token, ...hints, mode, created_at, old_expires_at: remainingToken ? old_expires_at : created_at };
}

/** Activates the next webhook secret. @returns its number */
export async function rotateSecret(db: Db, instance_id: string): Promise<{ number: number; old_expires_at: Date }> {
  const old_expires_at = hoursFromNow(SECRET_OVERLAP_H);
  const [rotated] = await db.rows<{ number: number }>(sql`
    UPDATE wl_instances SET secret_number = secret_number + 1, secret_before_until = ${old_expires_at}
    WHERE id = ${instance_id}::uuid RETURNING secret_number AS number`);
  return { number: rotated!.number, old_expires_at };
}
