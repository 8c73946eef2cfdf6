/**
 * Tokens of forms: when a form was loaded, and in which version, sealed by a key of the service. There is no session behind
 * one, so that a visitor who only looks leaves nothing.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A form that a token belongs to. */
interface FormIdentity {
  token_id: string;
  form_version: number;
}

const TIME_BYTES = 8;
const NONCE_BYTES = 16;
const HEAD_BYTES = TIME_BYTES + NONCE_BYTES;
const TOKEN = /^[\w-]{75}$/;
/** A form that was changed more often since it was loaded counts as one that is too old. */
const VERSIONS_BACK = 100;

const seal = (key: Buffer, { token_id, form_version }: FormIdentity, head: Uint8Array): Buffer =>
  createHmac('sha256', key).update(`${token_id}.${form_version}.`).update(head).digest();

/** Makes the token of a form that is loaded now. */
export function issueFormToken(key: Buffer, form: FormIdentity, now: Date): string {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(now.getTime()));
  const head = Buffer.concat([time, randomBytes(NONCE_BYTES)]);
  return Buffer.concat([head, seal(key, form, head)]).toString('base64url');
}

/** A token that this service has made. */
export interface OpenedFormToken {
  issued_at: Date;
  form_version: number;
}

/** Opens the token of a form, of whatever version; undefined for one that nobody here has made. */
export function openFormToken(
  key: Buffer,
  { token_id, form_version }: FormIdentity,
  token: string,
): OpenedFormToken | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (!TOKEN.test(token) || bytes.toString('base64url') !== token) return undefined;
  const [head, mac] = [bytes.subarray(0, HEAD_BYTES), bytes.subarray(HEAD_BYTES)];
  for (let version = form_version; version > 0 && version > form_version - VERSIONS_BACK; version -= 1) {
    if (timingSafeEqual(mac, seal(key, { token_id, form_version: version }, head)))
      return { issued_at: new Date(Number(head.readBigUInt64BE())), form_version: version };
  }
  return undefined;
}
