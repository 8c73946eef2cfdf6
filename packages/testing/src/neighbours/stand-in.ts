/** Stands in for a neighbour of the service under test, on a real gRPC server. */
import { Fault, serveRpc } from '@suite/chassis';

type Definition = Parameters<typeof serveRpc>[0];
type Methods<D extends Definition> = Parameters<typeof serveRpc<D>>[1];
/** The answers of a neighbour's methods. */
export type Answers<D extends Definition> = Partial<Methods<D>>;
type Name<D extends Definition> = keyof D['methods'] & string;

/** Answers these methods, and none of the others. */
export function standIn<D extends Definition>(
  definition: D,
  methods: Answers<D>,
  by_itself: readonly Name<D>[] = [],
): ReturnType<typeof serveRpc> {
  const unasked = Object.keys(definition.methods).map((name) => [
    name,
    () => Promise.reject(new Error(`No test expects that ${name} is called.`)),
  ]);
  return serveRpc(definition, { ...Object.fromEntries(unasked), ...methods } as Methods<D>, by_itself);
}

/** The outcome of the next calls, instead of an answer: `lost` and `crashed` do their work first. */
export function troubles(name: string) {
  const trouble: ('down' | 'lost' | 'crashed')[] = [];
  const unavailable = (reason: string) => new Fault(503, `${name}_unavailable`, reason);
  return {
    trouble,
    async troubled<T>(work: () => T | Promise<T>): Promise<T> {
      const wrong = trouble.shift();
      if (wrong === 'down') throw unavailable('This neighbour is down.');
      const answer = await work();
      if (wrong === 'lost') throw unavailable('The answer is lost.');
      if (wrong === 'crashed') throw new Error('This neighbour has a bug.');
      return answer;
    },
  };
}

/** The rows that a workspace has, of these ids or all of them. */
export const rowsOf = <T extends { workspace: string }>(
  rows: ReadonlyMap<string, T>,
  workspace: string | undefined,
  ids?: readonly string[],
): T[] =>
  (ids ? ids.flatMap((id) => rows.get(id) ?? []) : [...rows.values()]).filter((row) => row.workspace === workspace);
