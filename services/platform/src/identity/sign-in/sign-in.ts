/** Completes a sign-in: creates the session and its tokens. */
import type { FileLinks } from '@suite/chassis/files';
import type { Keys } from '@suite/chassis/identity';
import type { RequestFacts } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { ACCESS_TOKEN_S, signAccessToken } from '../../tokens/access-token.ts';
import { queueLetter } from '../mail/letter.ts';
import type { Db } from '../../operations.ts';
import { profile } from '../accounts/me.view.ts';
import { deviceOf, recogniseDevice, whereFrom } from '../sessions/device.ts';
import { type Opened, openSession, type SessionPurpose } from '../sessions/session.ts';

/** Returns the tokens of a session. */
export function tokens(keys: Keys, session: Opened) {
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
  request: RequestFacts;
}

/** Authenticated user, with the origin and purpose of the sign-in. */
interface SigningIn {
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
  { user_id, device_token: token, purpose }: SigningIn,
  read: () => Promise<User>,
) {
  const device = await deviceOf(db, user_id, token);
  const known = device && token ? { id: device.id, token } : undefined;
  // Before the session is opened: a device is recognised by the earlier sessions.
  const { device_token, unfamiliar } = await recogniseDevice(db, user_id, known, request);
  const session = await openSession(db, user_id, request, purpose);
  const user = await read();
  if (unfamiliar) await queueLetter(db, 'new_device', user_id, user.email, whereFrom(request));
  return { ...tokens(keys, session), session_id: session.id, device_token, user };
}

/** Completes a sign-in and returns the profile of the user. */
export async function completeSignIn({ links, ...context }: SignInContext & { links: FileLinks }, who: SigningIn) {
  const { session_id: _, ...signedIn } = await openSignIn(context, who, () => profile(context.db, who.user_id, links));
  return signedIn;
}
