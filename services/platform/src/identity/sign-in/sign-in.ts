/** Completes a sign-in: creates the session and its tokens. */
import type { FileLinks } from '@suite/chassis/files';
import type { Keys } from '@suite/chassis/identity';
import type { RequestMetadata } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { ACCESS_TOKEN_S, signAccessToken } from '../../tokens/access-token.ts';
import { queueMail } from '../mail/mail-templates.ts';
import type { Db } from '../../operations.ts';
import { readProfile } from '../accounts/me.view.ts';
import { deviceOf, recogniseDevice, originOf } from '../sessions/device.ts';
import { type OpenedSession, openSession, type SessionPurpose } from '../sessions/session.ts';

/** Returns the tokens of a session. */
export function toTokens(keys: Keys, session: OpenedSession) {
  return {
    access_token: signAccessToken(keys, session),
    token_type: 'Bearer' as const,
    expires_in: ACCESS_TOKEN_S,
    refresh_token: session.refresh_token,
    refresh_expires_in: Math.round((session.refresh_expires_at.getTime() - clock.now().getTime()) / 1000),
  };
}

interface SignInContext {
  db: Db;
  keys: Keys;
  request: RequestMetadata;
}

/** Authenticated user, with the origin and purpose of the sign-in. */
interface SignInUser {
  user_id: string;
  device_token: string | undefined;
  purpose: SessionPurpose;
}

/**
 * Opens a session, and notifies the user of a sign-in from a new device.
 * @param read returns the user for the response
 */
export async function openSignIn<User extends { email: string }>(
  { db, keys, request }: SignInContext,
  { user_id, device_token: token, purpose }: SignInUser,
  read: () => Promise<User>,
) {
  const device = await deviceOf(db, user_id, token);
  const known = device && token ? { id: device.id, token } : undefined;
  // Before the session is opened: a device is recognised by the earlier sessions.
  const { device_token, unfamiliar: isUnfamiliar } = await recogniseDevice(db, user_id, known, request);
  const session = await openSession(db, user_id, request, purpose);
  const user = await read();
  if (isUnfamiliar) await queueMail(db, 'new_device', user_id, user.email, originOf(request));
  return { ...toTokens(keys, session), session_id: session.id, device_token, user };
}

/** Completes a sign-in and returns the profile of the user. */
export async function completeSignIn({ links, ...context }: SignInContext & { links: FileLinks }, user: SignInUser) {
  const { session_id: _, ...signedIn } = await openSignIn(context, user, () =>
    readProfile(context.db, user.user_id, links),
  );
  return signedIn;
}
