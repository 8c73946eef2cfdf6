/** Fake of a service that the tested service calls, on a real gRPC server. */
import { Fault } from '@suite/chassis/faults';
import { serveRpc } from '@suite/chassis/rpc';

type Definition = Parameters<typeof serveRpc>[0];
type Methods<D extends Definition> = Parameters<typeof serveRpc<D>>[1];
/** Answers of a fake's methods. */
export type FakeMethods<D extends Definition> = Partial<Methods<D>>;
type Name<D extends Definition> = keyof D['methods'] & string;

/** Creates a fake that implements these methods and rejects all others. */
export function fakeServer<D extends Definition>(
  definition: D,
  methods: FakeMethods<D>,
  by_itself: readonly Name<D>[] = [],
): ReturnType<typeof serveRpc> {
  const unasked = Object.keys(definition.methods).map((name) => [
    name,
    () => Promise.reject(new Error(`Unexpected call of ${name} in this test.`)),
  ]);
  return serveRpc(definition, { ...Object.fromEntries(unasked), ...methods } as Methods<D>, by_itself);
}

/** Returns injected faults that replace the next responses. `lost` and `crashed` fail after doing the work. */
export function fakeErrors(name: string) {
  const injectedFaults: ('down' | 'lost' | 'crashed')[] = [];
  const unavailable = (reason: string) => new Fault(503, `${name}_unavailable`, reason);
  return {
    injectedFaults,
    async withInjectedFault<T>(work: () => T | Promise<T>): Promise<T> {
      const wrong = injectedFaults.shift();
      if (wrong === 'down') throw unavailable('The fake service is down.');
      const answer = await work();
      if (wrong === 'lost') throw unavailable('The response was lost.');
      if (wrong === 'crashed') throw new Error('The fake service failed.');
      return answer;
    },
  };
}

/** Returns the rows of a workspace, with these IDs or all. */
export const rowsOf = <T extends { workspace: string }>(
  rows: ReadonlyMap<string, T>,
  workspace: string | undefined,
  ids?: readonly string[],
): T[] =>
  (ids ? ids.flatMap((id) => rows.get(id) ?? []) : [...rows.values()]).filter((row) => row.workspace === workspace);
