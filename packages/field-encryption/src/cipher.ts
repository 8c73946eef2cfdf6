/**
 * Encryption of single values with AES-256-GCM: `v1.<key>.<nonce>.<ciphertext and tag>`. A value is bound to its place,
 * so that it opens in no other row, column, table or workspace.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A 32-byte key and its name, which is stored in the values. */
export interface Key {
  name: string;
  bytes: Buffer;
}

/** Place of an encrypted value. */
export interface CipherLocation {
  table: string;
  column: string;
  /** The ID of the row. */
  id: string;
}

/**
 * Encrypted value that does not open: it was changed, belongs elsewhere, or its key is lost. The error reveals nothing
 * about the value.
 */
export class DecryptionFailed extends Error {
  constructor({ table, column, id }: CipherLocation, why: string, cause?: unknown) {
    super(`The encrypted value of ${table}.${column} of ${id} does not open: ${why}.`, { cause });
  }
}

const boundTo = (workspace_id: string, { table, column, id }: CipherLocation): Buffer =>
  Buffer.from([workspace_id, table, column, id].join('|'));

/** Encrypts a text. */
export function encrypt(key: Key, workspace_id: string, place: CipherLocation, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key.bytes, nonce).setAAD(boundTo(workspace_id, place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return [VERSION, key.name, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
}

/** Decrypts an encrypted value. @param keyNamed finds a key @throws DecryptionFailed */
export function open(
  keyNamed: (name: string) => Key,
  workspace_id: string,
  place: CipherLocation,
  sealed: string,
): string {
  const [version, name = '', nonce = '', rest = '', ...more] = sealed.split('.');
  if (version !== VERSION || more.length > 0) throw new DecryptionFailed(place, 'its format is unknown');
  const key = keyNamed(name);
  const bytes = Buffer.from(rest, 'base64url');
  try {
    const decipher = createDecipheriv(ALGORITHM, key.bytes, Buffer.from(nonce, 'base64url'), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(boundTo(workspace_id, place)).setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch (error) {
    throw new DecryptionFailed(place, 'it was changed, or belongs elsewhere', error);
  }
}

/**
 * Returns the index for finding a value without opening it. Equal values of a field in a workspace have the same index,
 * regardless of spacing, punctuation and case.
 */
export const blindIndex = (key: Key, field: string, value: string): Buffer =>
  createHmac('sha256', key.bytes)
    .update(
      `${field}|${value
        .normalize('NFKC')
        .toUpperCase()
        .replaceAll(/[\s\p{P}]/gu, '')}`,
    )
    .digest();
