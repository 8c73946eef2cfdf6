import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'bms_';
const RANDOM = 30;
const CHECKSUM = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM + CHECKSUM}}$`);

/** Computes a CRC-32 in base 62. Six digits are enough for 32 bits. */
function checksum(text: string): string {
  let digits = '';
  for (let rest = crc32(text); digits.length < CHECKSUM; rest = Math.floor(rest / ALPHABET.length))
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
  return digits;
}

/**
 * Creates an API key: `bms_`, 178 random bits and a checksum. The checksum detects a mistyped key without a look-up.
 */
export function newApiKey(): string {
  const random = Array.from({ length: RANDOM }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return `${PREFIX}${random}${checksum(PREFIX + random)}`;
}

/** Returns true if a token looks like one of our API keys, including the checksum. */
export function isApiKey(token: string): boolean {
  return SHAPE.test(token) && checksum(token.slice(0, -CHECKSUM)) === token.slice(-CHECKSUM);
}
