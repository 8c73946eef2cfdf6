/** Service tokens replace the client's token: the signed identity of the caller, for one service and one minute. */
import type { Keys } from '@suite/chassis/gateway';
import type { ServiceTokens, RequestSession } from '../request/request-context.ts';

/** Returns the `authorization` header for a request to a service. A public operation has no session. */
export type SignServiceToken = (
  service: string,
  session: Pick<RequestSession, 'caller' | 'service_tokens'> | null,
) => string;

/** Half of a token's lifetime, so that the service has at least the other half to read it. */
const REUSE_MS = 30_000;

/** Creates the signer. It reuses a token during half of its lifetime, because signing costs more than proxying. */
export function serviceTokenSigner(keys: Keys): SignServiceToken {
  const publicTokens: ServiceTokens = new Map();

  return (service, session) => {
    const tokens = session?.service_tokens ?? publicTokens;
    const now = performance.now();
    const signed = tokens.get(service);
    if (signed && signed.reusable_until > now) return signed.bearer;
    const bearer = `Bearer ${keys.sign(service, session?.caller ?? null)}`;
    tokens.set(service, { bearer, reusable_until: now + REUSE_MS });
    return bearer;
  };
}
