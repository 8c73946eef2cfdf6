/** Signatures of events: `t=…,v1=…`, an HMAC over the moment and the bytes as they came. The provider's way, and ours for relays. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { fault } from '@suite/chassis';

export const InvalidSignature = fault(401, 'invalid_signature', 'The signature of this event is missing or wrong.');
export const StaleSignature = fault(401, 'stale_signature', 'This event was signed more than five minutes ago.');

const TOLERANCE_S = 300;
/** During a rotation an event carries one for each secret. */
const SIGNATURES_MAX = 10;

const digest = (secret: string, t: string, body: Buffer): Buffer =>
  createHmac('sha256', secret).update(`${t}.`).update(body).digest();

/** Signs a body, as whoever relays one does. */
export const sign = (secret: string, t: number, body: Buffer): string =>
  `t=${t},v1=${digest(secret, String(t), body).toString('hex')}`;

function read(header: string): { t: string; signatures: Buffer[] } | undefined {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const t = parts.find(([name]) => name === 't')?.[1];
  if (!t || !/^\d{1,12}$/.test(t)) return undefined;
  const hex = parts.flatMap(([name, value = '']) => (name === 'v1' && /^[\da-f]{64}$/.test(value) ? [value] : []));
  return { t, signatures: hex.slice(0, SIGNATURES_MAX).map((value) => Buffer.from(value, 'hex')) };
}

/**
 * Finds the secret by which a body is signed.
 * @throws InvalidSignature, and StaleSignature for what is signed rightly and too old or of the future
 */
export function signer<S extends { secret: string }>(
  secrets: readonly S[],
  header: string,
  body: Buffer,
  now: Date,
): S {
  const found = read(header);
  // Every secret is tried, so that the time tells nothing of which one it is.
  const signers = secrets.filter(
    ({ secret }) =>
      (found?.signatures ?? []).filter((one) => timingSafeEqual(one, digest(secret, found!.t, body))).length > 0,
  );
  const [by] = signers;
  if (!found || !by) throw InvalidSignature();
  if (Math.abs(now.getTime() / 1_000 - Number(found.t)) > TOLERANCE_S) throw StaleSignature();
  return by;
}
