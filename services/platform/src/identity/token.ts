/** Tokens that we hand out and recognise again by their hash. Nothing here is stored in clear. */
import { createHash, createHmac, randomBytes } from 'node:crypto';

/** The hash that is stored of a token. Tokens are random and long, so a fast hash is enough. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** A token of 256 random bits. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

const REFRESH_PREFIX = 'bmr_';

/** A first refresh token. */
export const newRefreshToken = (): string => REFRESH_PREFIX + randomToken();

/** A token by which a device is known again. */
export const newDeviceToken = (): string => `bmd_${randomToken()}`;

/**
 * The refresh token that follows another. Who holds the parent and the salt can work it out again: that is how an
 * answer that was lost on the way is given a second time although only hashes are stored.
 */
export const childOf = (parent: string, salt: string): string =>
  REFRESH_PREFIX + createHmac('sha256', parent).update(salt).digest('base64url');

/** The part of a key that is shown, so that its owner recognises it. */
export const keyHints = (token: string): { prefix: string; last4: string } => ({
  prefix: token.slice(0, 'bms_'.length + 4),
  last4: token.slice(-4),
});
