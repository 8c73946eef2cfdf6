/** Sessions and their refresh tokens. */
import { randomUUIDv7 } from 'node:crypto';
import { enterWorkspace, sql } from '@suite/chassis/database';
import { type Fault, fault, Unauthenticated } from '@suite/chassis/faults';
import { type Emit, withCheck, type RequestMetadata, anyUser } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { SessionRevoked } from '@suite/proto/platform/v1/events';
import { findRefreshToken } from '../workspaces-of-users/across-workspaces.ts';
import { childOf, tokenHash, newRefreshToken, randomToken } from '../../tokens/token.ts';
import type { Db } from '../../operations.ts';
import { recordAccountEvent } from '../accounts/user-log.ts';

export const TokenReused = fault(
  401,
  'token_reused',
  'This refresh token was already used, so the session has ended. Sign in again.',
);
export const SessionRequired = fault(403, 'session_required', 'An API key cannot be used here. Sign in.');

/** Access for sessions. API keys get `session_required` before any error in their request. */
export const sessionsOnly = withCheck(anyUser, async (_: Db, { session_id }) => {
  if (!session_id) throw SessionRequired();
});

const DAY_MS = 86_400_000;
/** Maximum idle time of a session. */
const IDLE_MS = 14 * DAY_MS;
/** Maximum lifetime of a session, regardless of refreshes. */
const LIFETIME_MS = 60 * DAY_MS;
/** Time for which a spent token still yields its child, in case a response is lost or two tabs refresh concurrently. */
const GRACE_S = 10;

export type SessionEnd =
  | 'logout'
  | 'password_changed'
  | 'password_reset'
  | 'email_changed'
  | 'token_reuse'
  | 'user_disabled'
  | 'user_deleted'
  /** Ended by `npm run restore`, because what ended a session after the backup is unknown. */
  | 'restored';

/** Purpose of a session: all operations, or only time tracking. */
export type SessionPurpose = 'web' | 'tracker';

/** Opened or refreshed session, with its next refresh token. */
export interface OpenedSession {
  id: string;
  user_id: string;
  refresh_token: string;
  refresh_expires_at: Date;
}

/** Opens a session for an authenticated user. */
export async function openSession(
  db: Db,
  user_id: string,
  request: RequestMetadata,
  purpose: SessionPurpose = 'web',
): Promise<OpenedSession> {
  const now = clock.now().getTime();
  const { address, user_agent } = request;
  const id = randomUUIDv7();
  const refresh_token = newRefreshToken();
  const refresh_expires_at = new Date(now + IDLE_MS);
  await db.rows(sql`
    INSERT INTO sessions (id, user_id, purpose, address, user_agent, expires_at)
    VALUES (${id}::uuid, ${user_id}::uuid, ${purpose}, ${address}, ${user_agent}, ${new Date(now + LIFETIME_MS)})`);
  await addToken(db, id, refresh_token, refresh_expires_at);
  await recordAccountEvent(db, 'login', user_id, request, id);
  return { id, user_id, refresh_token, refresh_expires_at };
}

const addToken = (db: Db, session_id: string, token: string, expires_at: Date): Promise<unknown> =>
  db.rows(sql`
    INSERT INTO refresh_tokens (id, session_id, token_hash, expires_at)
    VALUES (${randomUUIDv7()}::uuid, ${session_id}::uuid, ${tokenHash(token)}, ${expires_at})`);

/**
 * Spends a refresh token and returns its child. A spent token yields the same child for ten seconds, while that child
 * is unspent. After that, someone else must have the token, and the session ends.
 * @returns TokenReused instead of throwing it, so that the end of the session is kept
 * @throws Unauthenticated for tokens that are unknown or expired and for sessions that have ended
 */
export async function refreshSession(
  db: Db,
  emit: Emit,
  token: string,
  request: RequestMetadata,
): Promise<OpenedSession | Fault> {
  const link = await findRefreshToken(db, tokenHash(token));
  if (!link?.alive) throw Unauthenticated();
  const { session_id, user_id } = link;
  await enterWorkspace(link.workspace_id, user_id);
  const salt = randomToken();
  // The guard is in the update: of concurrent requests, one spends the token and the others wait and find it spent.
  const [spent] = await db.rows(sql`
    UPDATE refresh_tokens SET spent_at = clock_timestamp(), child_salt = ${salt}
    WHERE id = ${link.id}::uuid AND spent_at IS NULL AND expires_at > clock_timestamp() RETURNING id`);
  if (spent) {
    const refresh_token = childOf(token, salt);
    const refresh_expires_at = await addChild(db, session_id, refresh_token);
    await recordAccountEvent(db, 'token_refresh', user_id, request, session_id);
    return { id: session_id, user_id, refresh_token, refresh_expires_at };
  }
  const parent = await db.refreshToken.findFirst({ where: { id: link.id } });
  if (!parent?.spent_at || !parent.child_salt) throw Unauthenticated();
  const again = await findUnusedChild(db, link.id, childOf(token, parent.child_salt));
  if (again) return { id: session_id, user_id, ...again };
  await endSessions(db, emit, 'token_reuse', { id: session_id });
  await recordAccountEvent(db, 'token_reuse', user_id, request, session_id);
  return TokenReused();
}

async function addChild(db: Db, session_id: string, refresh_token: string): Promise<Date> {
  const session = await db.session.findFirstOrThrow({ where: { id: session_id } });
  const expires_at = new Date(Math.min(clock.now().getTime() + IDLE_MS, session.expires_at.getTime()));
  await addToken(db, session_id, refresh_token, expires_at);
  return expires_at;
}

/** Returns the unused child of a token that was used a moment ago. */
async function findUnusedChild(
  db: Db,
  parent_id: string,
  child: string,
): Promise<Pick<OpenedSession, 'refresh_token' | 'refresh_expires_at'> | undefined> {
  const [recent] = await db.rows(sql`
    SELECT id FROM refresh_tokens WHERE id = ${parent_id}::uuid AND spent_at > clock_timestamp() - make_interval(secs => ${GRACE_S})`);
  const unspent =
    recent && (await db.refreshToken.findFirst({ where: { token_hash: tokenHash(child), spent_at: null } }));
  return unspent ? { refresh_token: child, refresh_expires_at: unspent.expires_at } : undefined;
}

/**
 * Ends the open sessions among the given ones and emits an event about them. With the sessions of a user, it also ends
 * sign-ins that wait for a second factor: each began with a password that may no longer be valid.
 */
export async function endSessions(
  db: Db,
  emit: Emit,
  revoked_reason: SessionEnd,
  filter: { id: string } | { user_id: string; id?: { not: string } },
): Promise<void> {
  const ended = await db.session.updateManyAndReturn({
    where: { ...filter, revoked_at: null },
    data: { revoked_at: clock.now(), revoked_reason },
  });
  if ('user_id' in filter) await db.loginChallenge.deleteMany({ where: { user_id: filter.user_id } });
  for (const { id, user_id } of ended) emit(SessionRevoked, { session_id: id, user_id });
}
