/**
 * Routing: the first segment of a path selects the service (after `v1` the second). The table also lists the
 * operations. The gateway itself therefore responds with 404 to an unknown path and 405 to a wrong method.
 */
import { readFileSync } from 'node:fs';
import { MethodNotAllowed, UnknownPath } from './faults.ts';
import { type Suggest, suggester } from './suggestions.ts';

export interface Operation {
  method: string;
  /** Path with its variables in braces. */
  path: string;
  service: string;
  access: 'permission' | 'session' | 'instance' | 'public';
  /** True if the service itself checks the bearer token. Such a token belongs to no user. */
  bearer?: boolean;
  /** True if the path contains a personal link: anyone with the link may call the operation. */
  link?: boolean;
  /**
   * True if a signature over the body authenticates the request. The service verifies the signature, and unsigned
   * requests have a low rate limit.
   */
  signed?: boolean;
  /** True if pages and scripts of any site may call the operation, without credentials. */
  sites?: boolean;
  /** Rate-limit policy by address. Defaults to the policy for other public paths. */
  limit?: 'plans' | 'badge' | 'widget' | 'reports';
  /** Name in logs and metrics. */
  name: string;
}

/** Content of `routes.json`, as generated from the services' declarations. */
export interface RouteTable {
  /** First path segment (`lead`, `v1/settings`) → service. */
  routes: Record<string, string>;
  operations: Omit<Operation, 'name'>[];
}

export interface Routing {
  /** Returns the operation at a path. @throws 404 and 405 */
  find(method: string, path: string): Operation;
  /** Returns true if pages of other sites may call the operation at a path. */
  isOpenToSites(method: string, path: string): boolean;
  /** Returns the operation nearest to an unknown request. */
  suggest: Suggest;
  /** Returns the part of a path that logs may show: known literal segments, with `…` for the rest. */
  redact(path: string): string;
  /** Services behind the gateway. */
  services: readonly string[];
}

interface Node {
  literals: Map<string, Node>;
  variable: Node | undefined;
  operations: Map<string, Operation>;
}

const PREFIX = '/api/';
/** Name of the gateway in routes.json, for its own operations. */
export const OWN = 'gateway';
/** Paths that the gateway serves itself: see `docs.ts`. */
const OWN_PATH = /^\/(?:docs(?:\/[a-z]+(?:\.js)?)?|openapi\.json)?$/;

const node = (): Node => ({ literals: new Map(), variable: undefined, operations: new Map() });

/** Reads routes.json. @throws an Error if it contradicts itself */
export function readRoutes(file: string | URL): Routing {
  return routing(JSON.parse(readFileSync(file, 'utf8')) as RouteTable);
}

/**
 * Builds the routing from a table. @throws an Error when an operation belongs to another service than its first segment
 */
export function routing(table: RouteTable): Routing {
  const root = node();
  for (const declared of table.operations) {
    const segments = declared.path.slice(PREFIX.length).split('/');
    const first = segments[0] === 'v1' ? `v1/${segments[1]}` : segments[0];
    if (!declared.path.startsWith(PREFIX) || table.routes[first ?? ''] !== declared.service) {
      throw new Error(`routes.json is invalid: ${declared.path} is not under a route of ${declared.service}.`);
    }
    insert(root, segments, { ...declared, name: `${declared.method} ${declared.path}` });
  }
  return {
    services: [...new Set(Object.values(table.routes))].filter((name) => name !== OWN),
    find: (method, path) => find(root, method, path),
    isOpenToSites: (method, path) =>
      path.startsWith(PREFIX) && search(root, method, path, PREFIX.length, new Set())?.sites === true,
    suggest: suggester(table.operations),
    redact: (path) => redact(root, path),
  };
}

function insert(root: Node, segments: string[], operation: Operation): void {
  let at = root;
  for (const segment of segments) {
    let next = segment.startsWith('{') ? at.variable : at.literals.get(segment);
    if (!next) {
      next = node();
      if (segment.startsWith('{')) at.variable = next;
      else at.literals.set(segment, next);
    }
    at = next;
  }
  at.operations.set(operation.method, operation);
  // HEAD is valid wherever GET is (RFC 9110, 9.3.2).
  if (operation.method === 'GET') at.operations.set('HEAD', operation);
}

function find(root: Node, method: string, path: string): Operation {
  if (!path.startsWith(PREFIX)) throw UnknownPath();
  const allowed = new Set<string>();
  const operation = search(root, method, path, PREFIX.length, allowed);
  if (operation) return operation;
  throw allowed.size ? MethodNotAllowed([...allowed].join(', ')) : UnknownPath();
}

function redact(root: Node, path: string): string {
  if (OWN_PATH.test(path)) return path;
  if (!path.startsWith(PREFIX)) return '/…';
  let at: Node | undefined = root;
  const shown: string[] = [];
  for (const segment of path.slice(PREFIX.length).split('/')) {
    at = at.literals.get(segment);
    if (!at) return `${PREFIX}${[...shown, '…'].join('/')}`;
    shown.push(segment);
  }
  return PREFIX + shown.join('/');
}

/** Follows a path from `start`. A literal segment takes precedence over a variable, as in the services' routers. */
function search(at: Node, method: string, path: string, start: number, allowed: Set<string>): Operation | undefined {
  const slash = path.indexOf('/', start);
  const segment = slash === -1 ? path.slice(start) : path.slice(start, slash);
  if (segment === '') return undefined;
  const next = at.literals.get(segment);
  return (
    (next && follow(next, method, path, slash, allowed)) ??
    (at.variable && follow(at.variable, method, path, slash, allowed))
  );
}

function follow(at: Node, method: string, path: string, slash: number, allowed: Set<string>): Operation | undefined {
  if (slash !== -1) return search(at, method, path, slash + 1, allowed);
  const operation = at.operations.get(method);
  if (!operation) for (const other of at.operations.keys()) allowed.add(other);
  return operation;
}
