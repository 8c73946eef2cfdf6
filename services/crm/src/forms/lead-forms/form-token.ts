/**
 * Form tokens with the loading time and the version of a form, authenticated with a key of the service. They need no
 * session, so a visitor who only looks leaves no data.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Form of a token. */
interface FormIdentity {
  token_id: string;
  form_version: number;
}

const TIME_BYTES = 8;
const NONCE_BYTES = 16;
const HEAD_BYTES = TIME_BYTES + NONCE_BYTES;
const TOKEN = /^[\w-]{75}$/;
/** Maximum number of form changes since loading. After more changes, the form has expired. */
const VERSIONS_BACK = 100;

const signatureOf = (key: Buffer, { token_id, form_version }: FormIdentity, head: Uint8Array): Buffer =>
  createHmac('sha256', key).update(`${token_id}.${form_version}.`).update(head).digest();

/** Issues the token of a form that is being loaded. */
export function issueFormToken(key: Buffer, form: FormIdentity, now: Date): string {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(now.getTime()));
  const head = Buffer.concat([time, randomBytes(NONCE_BYTES)]);
  return Buffer.concat([head, signatureOf(key, form, head)]).toString('base64url');
}

/** Content of a token issued by this service. */
export interface OpenedFormToken {
  issued_at: Date;
  form_version: number;
}

/**
 * Verifies the token of a form in any of its recent versions. @returns undefined for a token that this service did not
 * issue
 */
export function openFormToken(
  key: Buffer,
  { token_id, form_version }: FormIdentity,
  token: string,
): OpenedFormToken | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (!TOKEN.test(token) || bytes.toString('base64url') !== token) return undefined;
  const [head, mac] = [bytes.subarray(0, HEAD_BYTES), bytes.subarray(HEAD_BYTES)];
  for (let version = form_version; version > 0 && version > form_version - VERSIONS_BACK; version -= 1) {
    if (timingSafeEqual(mac, signatureOf(key, { token_id, form_version: version }, head)))
      return { issued_at: new Date(Number(head.readBigUInt64BE())), form_version: version };
  }
  return undefined;
}
