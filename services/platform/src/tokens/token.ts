/** Tokens that the suite issues and recognises by their hash. None is stored in clear text. */
import { createHash, createHmac, randomBytes } from 'node:crypto';

/** Returns the stored hash of a token. A fast hash is sufficient, because tokens are random and long. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Returns a token of 256 random bits. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

const REFRESH_PREFIX = 'bmr_';

/** Returns the first refresh token of a session. */
export const newRefreshToken = (): string => REFRESH_PREFIX + randomToken();

/** Returns a new token that identifies a known device. */
export const newDeviceToken = (): string => `bmd_${randomToken()}`;

/**
 * Returns the refresh token that follows another. The parent and the salt determine it. A lost response can therefore
 * be sent again although only hashes are stored.
 */
export const childOf = (parent: string, salt: string): string =>
  REFRESH_PREFIX + createHmac('sha256', parent).update(salt).digest('base64url');

/** Returns the visible parts of a key, so that its owner recognises it. */
export const keyHints = (token: string): { prefix: string; last4: string } => ({
  prefix: token.slice(0, 'bms_'.length + 4),
  last4: token.slice(-4),
});
