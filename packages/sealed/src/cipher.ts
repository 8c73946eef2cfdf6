/**
 * Sealing of single values with AES-256-GCM: `v1.<key>.<nonce>.<ciphertext and tag>`. A value is bound to its place, so that
 * it opens in no other row, column, table or workspace.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key of 32 bytes, with the name that values carry. */
export interface Key {
  name: string;
  bytes: Buffer;
}

/** The place of a sealed value. */
export interface Place {
  table: string;
  column: string;
  /** The row's id. */
  id: string;
}

/** A sealed value does not open: it was changed, belongs elsewhere, or its key is lost. It tells nothing of the value. */
export class NotOpened extends Error {
  constructor({ table, column, id }: Place, why: string, cause?: unknown) {
    super(`The sealed value of ${table}.${column} of ${id} does not open: ${why}.`, { cause });
  }
}

const boundTo = (workspace_id: string, { table, column, id }: Place): Buffer =>
  Buffer.from([workspace_id, table, column, id].join('|'));

/** Seals a text. */
export function seal(key: Key, workspace_id: string, place: Place, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key.bytes, nonce).setAAD(boundTo(workspace_id, place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return [VERSION, key.name, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
}

/** Opens what was sealed. @param keyNamed finds a key @throws NotOpened */
export function open(keyNamed: (name: string) => Key, workspace_id: string, place: Place, sealed: string): string {
  const [version, name = '', nonce = '', rest = '', ...more] = sealed.split('.');
  if (version !== VERSION || more.length > 0) throw new NotOpened(place, 'it has no form that is known');
  const key = keyNamed(name);
  const bytes = Buffer.from(rest, 'base64url');
  try {
    const decipher = createDecipheriv(ALGORITHM, key.bytes, Buffer.from(nonce, 'base64url'), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(boundTo(workspace_id, place)).setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch (error) {
    throw new NotOpened(place, 'it was changed, or belongs elsewhere', error);
  }
}

/**
 * Finds a value without opening it: it is the same for the same value of a field in a workspace, however that was spaced,
 * punctuated or capitalised.
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
