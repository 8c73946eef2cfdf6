/** Making partners, changing them, and giving their badges new tokens. */
import { randomUUIDv7 } from 'node:crypto';
import { type Caller, change, clock, insertOne, NotFound, readOne, remove, sql } from '@suite/chassis';
import { hashOf, randomToken } from '../identity/token.ts';
import type { Db } from '../operations.ts';
import { partnerStates } from './partner.rules.ts';
import { type NewPartner, Partner, type PartnerChanges, PartnerColumns } from './partner.schema.ts';

/** The parts of a command that its rules take. */
interface PartnerContext {
  db: Db;
  caller: Caller;
}

/** Where badges are, before their tokens. */
export const badgeAddress = (public_url: string): string => `${public_url}/api/badge/`;

/** A token that nobody can guess, and the hash by which it is found. */
function newToken(): { token: string; token_hash: string } {
  const token = `bdg_${randomToken()}`;
  return { token, token_hash: hashOf(token) };
}

/** The parts of a partner that are computed with its row. */
export const partnerView = (caller: Caller, public_url: string) => ({
  table: 'partners',
  compute: {
    badge_url: sql`${badgeAddress(public_url)}::text || partners.token`,
    allowed_actions: partnerStates.shownTo(caller, 'partners'),
  },
});

/** A partner as it is after a change. */
export const readPartner = ({ db, caller }: PartnerContext, id: string, public_url: string) =>
  readOne(db, Partner, id, partnerView(caller, public_url));

/** Makes a partner with a badge. */
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

/** Locks a partner that is in a state for an action. @throws NotFound, InvalidTransition */
async function lockFor(
  { db, caller }: PartnerContext,
  id: string,
  action: 'update' | 'rotate' | 'delete',
): Promise<void> {
  const [row] = await db.rows<{ status: string }>(sql`
    SELECT status FROM partners WHERE id = ${id}::uuid FOR UPDATE`);
  if (!row) throw NotFound();
  partnerStates.assertFits(action, row, caller);
}

/** Changes what is said of a partner. @throws NotFound, InvalidTransition, Stale */
export async function changePartner(
  work: PartnerContext,
  id: string,
  { version: _, since, ...patch }: PartnerChanges,
  expect: number | undefined,
): Promise<void> {
  await lockFor(work, id, 'update');
  await change(work.db.partner, id, { ...patch, ...(since && { since: new Date(since) }) }, expect);
}

/** Gives the badge another token; the former one is worth nothing from now on. @throws NotFound, InvalidTransition */
export async function rotateBadge(work: PartnerContext, id: string): Promise<void> {
  await lockFor(work, id, 'rotate');
  await change(work.db.partner, id, newToken());
}

/** Takes the badge away. Doing it again changes nothing. @throws NotFound */
export async function revokePartner({ db, caller }: PartnerContext, id: string): Promise<void> {
  await partnerStates.move(db.partner, id, 'revoke', { revoked_at: clock.now() }, caller);
}

/** Deletes a partner whose badge was taken away. @throws NotFound, InvalidTransition */
export async function removePartner(work: PartnerContext, id: string): Promise<{ id: string }> {
  await lockFor(work, id, 'delete');
  return await remove(work.db.partner, id);
}
