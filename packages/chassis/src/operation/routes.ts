/** Finds the route of a path in a tree of segments. A router would try the routes of a service one by one. */

interface Route<Served> {
  /** Names of the variables, each with the position of its segment. */
  variables: readonly (readonly [name: string, at: number])[];
  served: Served;
}

interface Node<Served> {
  literals: Map<string, Node<Served>>;
  variable: Node<Served> | undefined;
  routes: Map<string, Route<Served>>;
}

const node = <Served>(): Node<Served> => ({ literals: new Map(), variable: undefined, routes: new Map() });

const isVariable = (segment: string): boolean => segment.startsWith('{');

/** Searches with priority for literal segments over variables, so that the order of declaration never matters. */
function search<Served>(
  at: Node<Served> | undefined,
  method: string,
  segments: readonly string[],
  depth: number,
): Route<Served> | undefined {
  const segment = segments[depth];
  if (!at || segment === undefined) return at?.routes.get(method);
  if (segment === '') return undefined;
  return (
    search(at.literals.get(segment), method, segments, depth + 1) ?? search(at.variable, method, segments, depth + 1)
  );
}

/** The routes of a service. */
export class Routes<Served> {
  readonly #root = node<Served>();

  /** @param path the path with variables in braces */
  add(method: string, path: string, served: Served): void {
    const segments = path.split('/');
    let at = this.#root;
    for (const segment of segments.slice(1)) {
      const next = (isVariable(segment) ? at.variable : at.literals.get(segment)) ?? node<Served>();
      if (isVariable(segment)) at.variable = next;
      else at.literals.set(segment, next);
      at = next;
    }
    const variables = segments.flatMap((name, place) =>
      isVariable(name) ? [[name.slice(1, -1), place] as const] : [],
    );
    at.routes.set(method, { variables, served });
  }

  /** Finds the route of a request. HEAD uses the GET route. @throws URIError for a variable that is not UTF-8 */
  find(method: string, path: string): { served: Served; params: Record<string, string> } | undefined {
    const segments = path.split('/');
    const route = search(this.#root, method === 'HEAD' ? 'GET' : method, segments, 1);
    if (!route) return undefined;
    const params: Record<string, string> = {};
    for (const [name, at] of route.variables) params[name] = decodeURIComponent(segments[at]!);
    return { served: route.served, params };
  }
}
