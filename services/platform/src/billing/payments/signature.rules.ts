/**
 * Signatures of events: `t=…,v1=…`, an HMAC over the timestamp and the received bytes. Both the provider and relaying
 * instances use this format.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { fault } from '@suite/chassis/faults';

export const InvalidSignature = fault(
  401,
  'invalid_signature',
  'The signature of this event is missing or invalid. Check the webhook secret.',
);
export const StaleSignature = fault(
  401,
  'stale_signature',
  'This event was signed more than five minutes ago. Sign it again.',
);

const TOLERANCE_S = 300;
/** Maximum number of signatures. During a rotation, an event has one for each secret. */
const SIGNATURES_MAX = 10;

const hmacOf = (secret: string, t: string, body: Buffer): Buffer =>
  createHmac('sha256', secret).update(`${t}.`).update(body).digest();

/** Returns the signature of a body, as a relay creates it. */
export const sign = (secret: string, t: number, body: Buffer): string =>
  `t=${t},v1=${hmacOf(secret, String(t), body).toString('hex')}`;

function parseHeader(header: string): { t: string; signatures: Buffer[] } | undefined {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const t = parts.find(([name]) => name === 't')?.[1];
  if (!t || !/^\d{1,12}$/.test(t)) return undefined;
  const hex = parts.flatMap(([name, value = '']) => (name === 'v1' && /^[\da-f]{64}$/.test(value) ? [value] : []));
  return { t, signatures: hex.slice(0, SIGNATURES_MAX).map((value) => Buffer.from(value, 'hex')) };
}

/**
 * Finds the secret that signed a body.
 * @throws InvalidSignature, and StaleSignature for a valid signature with a time too far in the past or future
 */
export function verifySignature<S extends { secret: string }>(
  secrets: readonly S[],
  header: string,
  body: Buffer,
  now: Date,
): S {
  const parsed = parseHeader(header);
  // Tries every secret, so that the response time does not reveal the matching one.
  const matching = secrets.filter(
    ({ secret }) =>
      (parsed?.signatures ?? []).filter((one) => timingSafeEqual(one, hmacOf(secret, parsed!.t, body))).length > 0,
  );
  const [match] = matching;
  if (!parsed || !match) throw InvalidSignature();
  if (Math.abs(now.getTime() / 1_000 - Number(parsed.t)) > TOLERANCE_S) throw StaleSignature();
  return match;
}
