/** The signed identity that goes inward in place of the client's token: who is calling, for one service, for a minute. */
import type { Caller, Keys } from '@suite/chassis/gateway';
import type { InwardTokens } from '../request/request-context.ts';

interface Known {
  caller: Caller | null;
  inward: InwardTokens;
}

/** Gives the `authorization` header for a call to a service; for a public operation the caller is nobody we know. */
export type Introduce = (service: string, known: Known | null) => string;

/** Half a token's life, so that the service has at least the other half to read it. */
const REUSE_MS = 30_000;

/** Makes the signer. A token is signed once and used again for half of its life: signing costs more than proxying. */
export function introducer(keys: Keys): Introduce {
  const stranger: Known = { caller: null, inward: new Map() };

  return (service, known) => {
    const { caller, inward } = known ?? stranger;
    const now = performance.now();
    const made = inward.get(service);
    if (made && made.fresh_until > now) return made.bearer;
    const bearer = `Bearer ${keys.sign(service, caller)}`;
    inward.set(service, { bearer, fresh_until: now + REUSE_MS });
    return bearer;
  };
}
