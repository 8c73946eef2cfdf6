/** Proof keys for OAuth (RFC 7636): only the client that started a connection can complete it. */
import { createHash } from 'node:crypto';
import { randomToken } from '../../tokens/token.ts';

/** Returns a new verifier to store, and the challenge to send first. */
export function newProofKey(): { verifier: string; challenge: string } {
  const verifier = randomToken();
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}
