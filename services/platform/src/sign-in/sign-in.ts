/** Completing a sign-in: the session and its tokens. */
import { clock, type FileLinks, type Keys, type RequestFacts } from '@suite/chassis';
import { ACCESS_TOKEN_S, signAccessToken } from '../identity/access-token.ts';
import { hashOf } from '../identity/token.ts';
import { queueLetter } from '../mail/letter.ts';
import type { Db } from '../operations.ts';
import { profile } from '../accounts/me.view.ts';
import { recogniseDevice, whereFrom } from '../sessions/device.ts';
import { type Opened, openSession } from '../sessions/session.ts';

/** The tokens of a session. */
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
  links: FileLinks;
  request: RequestFacts;
}

/** Opens a session, and notifies the user of a sign-in from a new device. */
export async function completeSignIn(
  { db, keys, links, request }: SignInContext,
  user_id: string,
  token: string | undefined,
) {
  const device = token ? await db.device.findFirst({ where: { user_id, token_hash: hashOf(token) } }) : null;
  const known = device && token ? { id: device.id, token } : undefined;
  // In this order, and sent at once: a device is recognised by the sessions before this one.
  const [{ device_token, unfamiliar }, session, user] = await Promise.all([
    recogniseDevice(db, user_id, known, request),
    openSession(db, user_id, request),
    profile(db, user_id, links),
  ]);
  if (unfamiliar) await queueLetter(db, 'new_device', user_id, user.email, whereFrom(request));
  return { ...tokens(keys, session), device_token, user };
}
