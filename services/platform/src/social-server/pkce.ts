/** Proof keys for OAuth (RFC 7636): who ends a connection is the one who began it. */
import { createHash } from 'node:crypto';
import { randomToken } from '../identity/token.ts';

/** A new verifier, which is kept, and the challenge that is sent ahead. */
export function newProofKey(): { verifier: string; challenge: string } {
  const verifier = randomToken();
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}
