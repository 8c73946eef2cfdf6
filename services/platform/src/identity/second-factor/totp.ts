/** One-time passwords of authenticator apps (RFC 6238), and the encryption of their secrets. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes, randomInt } from 'node:crypto';
import { derivedSecret, type Keys } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { Secret, TOTP } from 'otpauth';

const STEP_S = 30;
/** Accepts a code one step early or late, because clocks differ and users type slowly. */
const WINDOW = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

const encryptionKey = ({ private_key }: Keys) => derivedSecret(private_key, 'second factors');

/** Encrypts a secret for storage. Only the same user's ID decrypts it. */
export function encryptSecret(keys: Keys, user_id: string, secret: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', encryptionKey(keys), iv).setAAD(Buffer.from(user_id));
  const encrypted = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url');
}

/** Decrypts a secret. @throws an Error when it is another user's or was changed */
export function decryptSecret(keys: Keys, user_id: string, encrypted: string): string {
  const bytes = Buffer.from(encrypted, 'base64url');
  const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
  const decipher = createDecipheriv('aes-256-gcm', encryptionKey(keys), iv)
    .setAAD(Buffer.from(user_id))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString();
}

const totp = (secret: string, issuer = '', label = '') =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: STEP_S });

/** Returns a new secret, and the address that apps read from a QR code. */
export function newSecret(issuer: string, label: string): { secret: string; otpauth_url: string } {
  const secret = new Secret({ size: 20 }).base32;
  return { secret, otpauth_url: totp(secret, issuer, label).toString() };
}

/** Returns the time step of a valid code, or undefined. */
export function stepOf(secret: string, code: string): number | undefined {
  const timestamp = clock.now().getTime();
  const delta = totp(secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : Math.floor(timestamp / 1_000 / STEP_S) + delta;
}

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Returns a recovery code: fifty random bits, in unambiguous characters. */
export function newRecoveryCode(): string {
  const characters = Array.from({ length: 10 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return `${characters.slice(0, 5)}-${characters.slice(5)}`;
}

/** Returns a new code of six digits. */
export const newSentCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** Returns the stored hash of a sent code. It uses the key of the process, because all million codes can be tried. */
export const sentCodeHash = ({ private_key }: Keys, user_id: string, code: string): string =>
  createHmac('sha256', derivedSecret(private_key, 'sent codes')).update(`${user_id} ${code}`).digest('hex');

/** Returns the stored hash of a recovery code. It uses the key of the process, because 50 bits can be tried. */
export function recoveryHash({ private_key }: Keys, user_id: string, code: string): string {
  const plain = code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return createHmac('sha256', derivedSecret(private_key, 'recovery codes')).update(`${user_id} ${plain}`).digest('hex');
}
