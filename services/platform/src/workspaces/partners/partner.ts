/** Creates and updates partners, and rotates their badge tokens. */
import { randomUUIDv7 } from 'node:crypto';
import { change, remove, sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { insertOne, readOne } from '@suite/chassis/lists';
import { clock } from '@suite/chassis/runtime';
import { tokenHash, randomToken } from '../../tokens/token.ts';
import type { Db } from '../../operations.ts';
import { partnerStates } from './partner.rules.ts';
import { type NewPartner, Partner, type PartnerChanges, PartnerColumns } from './partner.schema.ts';

/** Context of a partner command. */
interface PartnerContext {
  db: Db;
  caller: Caller;
}

/** Returns the base URL of badges, without the token. */
export const badgeAddress = (public_url: string): string => `${public_url}/api/badge/`;

/** Returns a token that cannot be guessed, and the hash for its lookup. */
function newToken(): { token: string; token_hash: string } {
  const token = `bdg_${randomToken()}`;
  return { token, token_hash: tokenHash(token) };
}

/** Returns the computed fields of a partner. */
export const partnerView = (caller: Caller, public_url: string) => ({
  table: 'partners',
  compute: {
    badge_url: sql`${badgeAddress(public_url)}::text || partners.token`,
    allowed_actions: partnerStates.shownTo(caller, 'partners'),
  },
});

/** Returns a partner after a change. */
export const readPartner = ({ db, caller }: PartnerContext, id: string, public_url: string) =>
  readOne(db, Partner, id, partnerView(caller, public_url));

/** Creates a partner with a badge. */
export async function createPartner(db: Db, { url = null, ...partner }: NewPartner): Promise<string> {
  const { id } = await insertOne(db, 'partners', PartnerColumns, {
    id: randomUUIDv7(),
    ...partner,
    url,
    verified: String(partner.verified),
    ...newToken(),
  });
  return id;
}

/** Locks a partner whose status allows an action. @throws NotFound, InvalidTransition */
async function lockForAction(
  { db, caller }: PartnerContext,
  id: string,
  action: 'update' | 'rotate' | 'delete',
): Promise<void> {
  const [row] = await db.rows<{ status: string }>(sql`
    SELECT status FROM partners WHERE id = ${id}::uuid FOR UPDATE`);
  if (!row) throw NotFound();
  partnerStates.assertFits(action, row, caller);
}

/** Updates a partner. @throws NotFound, InvalidTransition, Stale */
export async function changePartner(
  context: PartnerContext,
  id: string,
  { version: _, since, ...patch }: PartnerChanges,
  expect: number | undefined,
): Promise<void> {
  await lockForAction(context, id, 'update');
  await change(context.db.partner, id, { ...patch, ...(since && { since: new Date(since) }) }, expect);
}

/** Replaces the token of a badge. The previous token becomes invalid immediately. @throws NotFound, InvalidTransition */
export async function rotateBadge(context: PartnerContext, id: string): Promise<void> {
  await lockForAction(context, id, 'rotate');
  await change(context.db.partner, id, newToken());
}

/** Revokes the badge. Repeated calls have no effect. @throws NotFound */
export async function revokePartner({ db, caller }: PartnerContext, id: string): Promise<void> {
  await partnerStates.move(db.partner, id, 'revoke', { revoked_at: clock.now() }, caller);
}

/** Deletes a partner whose badge is revoked. @throws NotFound, InvalidTransition */
export async function removePartner(context: PartnerContext, id: string): Promise<{ id: string }> {
  await lockForAction(context, id, 'delete');
  return await remove(context.db.partner, id);
}
