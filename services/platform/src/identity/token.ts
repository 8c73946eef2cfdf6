/** Tokens that we hand out and recognise again by their hash. Nothing here is stored in clear. */
import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What is stored of a token. Tokens are random and long, so a fast hash is enough. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A token of 256 random bits. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

const REFRESH_PREFIX = 'bmr_';

/** A first refresh token. */
export const newRefreshToken = (): string => REFRESH_PREFIX + randomToken();

/**
 * The refresh token that follows another. Who holds the parent and the salt can work it out again: that is how an
 * answer that was lost on the way is given a second time although only hashes are stored.
 */
export const childOf = (parent: string, salt: string): string =>
  REFRESH_PREFIX + createHmac('sha256', parent).update(salt).digest('base64url');

const KEY_PREFIX = 'bms_';
const KEY_RANDOM = 30;
const KEY_CHECKSUM = 6;
const KEY_FORM = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${KEY_RANDOM + KEY_CHECKSUM}}$`);

/** CRC-32 in base 62: tells a mistyped or invented key from a real one without asking the database. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < KEY_CHECKSUM) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

/** A new API key: `bms_`, 30 random characters (178 bits), 6 of checksum. */
export function newApiKey(): string {
  const body = KEY_PREFIX + Array.from({ length: KEY_RANDOM }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return body + checksum(body);
}

/** Whether this has the form of an API key of ours, checksum included. */
export const isApiKey = (token: string): boolean =>
  KEY_FORM.test(token) && checksum(token.slice(0, -KEY_CHECKSUM)) === token.slice(-KEY_CHECKSUM);

/** What is kept of a key so that its owner recognises it. */
export const keyHints = (token: string): { prefix: string; last4: string } => ({
  prefix: token.slice(0, KEY_PREFIX.length + 4),
  last4: token.slice(-4),
});
