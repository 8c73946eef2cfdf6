/**
 * Routing: the first segment of a path names the service (after `v1` the second). The table also lists the operations,
 * so that the gateway itself answers 404 to an unknown path and 405 to a wrong method.
 */
import { readFileSync } from 'node:fs';
import { MethodNotAllowed, UnknownPath } from './faults.ts';
import { type Suggest, suggester } from './suggestions.ts';

export interface Operation {
  method: string;
  /** With its variables in braces. */
  path: string;
  service: string;
  access: 'permission' | 'session' | 'instance' | 'public';
  /** Whether the service itself checks the bearer token, which is then no user's. */
  bearer?: boolean;
  /** Whether whoever has the address may call it: it is a link that stands for somebody. */
  link?: boolean;
  /** Whether a signature over the body proves it: the service gets that, and what is not signed may be sent seldom. */
  signed?: boolean;
  /** Whether pages and scripts of any site may call it, without credentials. */
  sites?: boolean;
  /** The policy that counts it by address, where it is not that of other public paths. */
  limit?: 'plans' | 'badge' | 'widget' | 'reports';
  /** The name in logs and metrics. */
  name: string;
}

/** routes.json as it is generated from the services' declarations. */
export interface RouteTable {
  /** First path segment (`lead`, `v1/settings`) → service. */
  routes: Record<string, string>;
  operations: Omit<Operation, 'name'>[];
}

export interface Routing {
  /** The operation at a path. @throws 404 and 405 */
  find(method: string, path: string): Operation;
  /** Whether pages of other sites may call what is at a path. */
  isOpenToSites(method: string, path: string): boolean;
  /** The operation that is nearest to a request that has none. */
  suggest: Suggest;
  /** The part of a path that logs may show: known literal segments; `…` stands for the rest. */
  redact(path: string): string;
  /** The services behind the gateway. */
  services: readonly string[];
}

interface Node {
  literals: Map<string, Node>;
  variable: Node | undefined;
  operations: Map<string, Operation>;
}

const PREFIX = '/api/';
/** The name of the gateway in routes.json, where it answers an operation itself. */
export const OWN = 'gateway';
/** Paths that the gateway answers itself: see `docs.ts`. */
const OWN_PATH = /^\/(?:docs(?:\/[a-z]+(?:\.js)?)?|openapi\.json)?$/;

const node = (): Node => ({ literals: new Map(), variable: undefined, operations: new Map() });

/** Reads routes.json. @throws an Error when it contradicts itself */
export function readRoutes(file: string | URL): Routing {
  return routing(JSON.parse(readFileSync(file, 'utf8')) as RouteTable);
}

/** Builds the routing from a table. @throws an Error when an operation lies at another service than its first segment */
export function routing(table: RouteTable): Routing {
  const root = node();
  for (const declared of table.operations) {
    const segments = declared.path.slice(PREFIX.length).split('/');
    const first = segments[0] === 'v1' ? `v1/${segments[1]}` : segments[0];
    if (!declared.path.startsWith(PREFIX) || table.routes[first ?? ''] !== declared.service) {
      throw new Error(`routes.json is not sound: ${declared.path} is not under a route of ${declared.service}.`);
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
  // HEAD works wherever GET does (RFC 9110, 9.3.2).
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

/** Follows a path from `start`; a literal segment wins over a variable, as in the services' routers. */
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
