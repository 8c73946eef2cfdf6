/** The two programs that do the same work: the suite through its gateway, and the bare stack. */
import type { BareStack } from '../fixture/bare-stack.ts';
import type { Business } from '../fixture/business.ts';
import type { BenchFixture } from '../fixture/fixture.ts';
import type { RequestSample } from '../load/load.ts';

/** A request without its number of connections. */
export type Request = Omit<RequestSample, 'connections'>;

export interface Sides {
  /** Returns a request to the suite, as the owner of the business. */
  ours(path: string, body?: object): Promise<Request>;
  /** Returns a request to the bare stack, which has its own paths. */
  bare(path: string, body?: object): Request;
  bareStack: BareStack;
}

/** The IP address, as used for the services. Name resolution is not part of the comparison. */
export const gatewayUrl = ({ processes }: BenchFixture['suite']): string => String(processes['gateway']?.url);

/** Returns a read request, or a write request if there is a body. */
function requestTo(url: string, body: object | undefined, headers: Record<string, string> = {}): Request {
  if (!body) return { url, headers };
  return {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** Returns the sides of a business. */
export async function sidesOf(fixture: BenchFixture, business: Business): Promise<Sides> {
  const bareStack = await fixture.bareStack();
  const gateway = gatewayUrl(fixture.suite);
  return {
    ours: async (path, body) => requestTo(`${gateway}${path}`, body, { authorization: await business.authorization() }),
    bare: (path, body) => requestTo(`${bareStack.url}${path}`, body),
    bareStack,
  };
}
