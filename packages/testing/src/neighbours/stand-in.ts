import { serveRpc } from '@suite/chassis';

type Definition = Parameters<typeof serveRpc>[0];
type Methods<D extends Definition> = Parameters<typeof serveRpc<D>>[1];

/** Stands in for a neighbour with the methods that a test needs; a call of any other method fails. */
export function standIn<D extends Definition>(
  definition: D,
  methods: Partial<Methods<D>>,
  by_itself: readonly (keyof D['methods'] & string)[] = [],
) {
  const unasked = Object.keys(definition.methods).map((name) => [
    name,
    () => Promise.reject(new Error(`Nobody asks for ${name} here.`)),
  ]);
  return serveRpc(definition, { ...Object.fromEntries(unasked), ...methods } as Methods<D>, by_itself);
}
