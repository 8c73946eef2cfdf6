/** The three programs that do one piece of work: the suite through its gateway, the bare stack, and one by hand. */
import type { BareStack } from '../fixture/bare-stack.ts';
import type { Business } from '../fixture/business.ts';
import type { BenchFixture } from '../fixture/fixture.ts';
import type { ChildProcess } from '../load/child-process.ts';
import type { Shot } from '../load/load.ts';

/** A request, whoever sends it how often. */
export type Request = Omit<Shot, 'connections'>;

export interface Sides {
  /** A request to the suite, as the business's owner. */
  ours(path: string, body?: object): Promise<Request>;
  /** The same request to the program by hand. It stands behind a proxy, as the services stand behind the gateway. */
  byHand(path: string, body?: object): Request;
  /** A request to the bare stack, which spells its paths in its own way. */
  bare(path: string, body?: object): Request;
  bareStack: BareStack;
  stop(): void;
}

/** By its number, as the services are called too: looking a name up is no part of the comparison. */
export const gatewayUrl = ({ processes }: BenchFixture['suite']): string => String(processes['gateway']?.url);

/** A request that reads, or one that writes what its body says. */
function requestTo(url: string, body: object | undefined, headers: Record<string, string> = {}): Request {
  if (!body) return { url, headers };
  return {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** The sides of a business. @param program the one by hand; it is stopped with its proxy */
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
