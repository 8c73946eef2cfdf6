import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'bms_';
const RANDOM = 30;
const CHECKSUM = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM + CHECKSUM}}$`);

/** CRC-32 in base 62; six digits are enough for 32 bits. */
function checksum(text: string): string {
  let digits = '';
  for (let rest = crc32(text); digits.length < CHECKSUM; rest = Math.floor(rest / ALPHABET.length))
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
  return digits;
}

/** A new API key: `bms_`, 178 random bits, and a checksum that tells a mistyped key from a real one without a look-up. */
export function newApiKey(): string {
  const random = Array.from({ length: RANDOM }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return `${PREFIX}${random}${checksum(PREFIX + random)}`;
}

/** Whether a token looks like one of our API keys, checksum included. */
export function isApiKey(token: string): boolean {
  return SHAPE.test(token) && checksum(token.slice(0, -CHECKSUM)) === token.slice(-CHECKSUM);
}
