/**
 * The three programs that do the same work: the suite through its gateway, the bare stack, and a hand-written program.
 */
import type { BareStack } from '../fixture/bare-stack.ts';
import type { Business } from '../fixture/business.ts';
import type { BenchFixture } from '../fixture/fixture.ts';
import type { ChildProcess } from '../load/child-process.ts';
import type { RequestSample } from '../load/load.ts';

/** A request without its number of connections. */
export type Request = Omit<RequestSample, 'connections'>;

export interface Sides {
  /** Returns a request to the suite, as the owner of the business. */
  ours(path: string, body?: object): Promise<Request>;
  /**
   * Returns the same request to the handwritten program, which is behind a proxy as the services are behind the
   * gateway.
   */
  byHand(path: string, body?: object): Request;
  /** Returns a request to the bare stack, which has its own paths. */
  bare(path: string, body?: object): Request;
  bareStack: BareStack;
  stop(): void;
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

/** Returns the sides of a business. @param program the hand-written one, stopped together with its proxy */
export async function sidesOf(fixture: BenchFixture, business: Business, program: ChildProcess): Promise<Sides> {
  const bareStack = await fixture.bareStack();
  const proxy = await fixture.baseline('../../bare-stack/src/proxy.ts', { target: program.url });
  const gateway = gatewayUrl(fixture.suite);
  return {
    ours: async (path, body) => requestTo(`${gateway}${path}`, body, { authorization: await business.authorization() }),
    byHand: (path, body) => requestTo(`${proxy.url}${path}`, body),
    bare: (path, body) => requestTo(`${bareStack.url}${path}`, body),
    bareStack,
    stop() {
      proxy.stop();
      program.stop();
    },
  };
}
