/**
 * Which service answers a path. The first segment names the service (`v1` by its second); the operations, generated
 * beside it, tell apart what does not exist (404) from what does not answer to the method (405).
 */
import { readFileSync } from 'node:fs';
import { MethodNotAllowed, UnknownPath } from './faults.ts';
import { type Suggest, suggester } from './suggestions.ts';

export interface Operation {
  method: string;
  /** With its variables in braces. */
  path: string;
  service: string;
  access: 'permission' | 'session' | 'public';
  /** How logs and figures call it. */
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
  /** The operation that a request may have meant to which nothing answers. */
  suggest: Suggest;
  /** As much of a path as logs may show: what is spelled out in known paths; `…` stands for the rest. */
  outline(path: string): string;
  /** The services that are behind the gateway. */
  services: readonly string[];
}

interface Node {
  statics: Map<string, Node>;
  variable: Node | undefined;
  operations: Map<string, Operation>;
}

const PREFIX = '/api/';
/** What the gateway answers itself: see `docs.ts`. */
const OWN = /^\/(?:docs(?:\/[a-z]+(?:\.js)?)?|openapi\.json)?$/;

const node = (): Node => ({ statics: new Map(), variable: undefined, operations: new Map() });

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
    services: [...new Set(Object.values(table.routes))],
    find: (method, path) => find(root, method, path),
    suggest: suggester(table.operations),
    outline: (path) => outline(root, path),
  };
}

function insert(root: Node, segments: string[], operation: Operation): void {
  let at = root;
  for (const segment of segments) {
    let next = segment.startsWith('{') ? at.variable : at.statics.get(segment);
    if (!next) {
      next = node();
      if (segment.startsWith('{')) at.variable = next;
      else at.statics.set(segment, next);
    }
    at = next;
  }
  at.operations.set(operation.method, operation);
  // A GET can be asked for its head alone (RFC 9110, 9.3.2).
  if (operation.method === 'GET') at.operations.set('HEAD', operation);
}

function find(root: Node, method: string, path: string): Operation {
  if (!path.startsWith(PREFIX)) throw UnknownPath();
  const allowed = new Set<string>();
  const operation = walk(root, method, path, PREFIX.length, allowed);
  if (operation) return operation;
  throw allowed.size ? MethodNotAllowed([...allowed].join(', ')) : UnknownPath();
}

function outline(root: Node, path: string): string {
  if (OWN.test(path)) return path;
  if (!path.startsWith(PREFIX)) return '/…';
  let at: Node | undefined = root;
  const shown: string[] = [];
  for (const segment of path.slice(PREFIX.length).split('/')) {
    at = at.statics.get(segment);
    if (!at) return `${PREFIX}${[...shown, '…'].join('/')}`;
    shown.push(segment);
  }
  return PREFIX + shown.join('/');
}

/** Follows a path from `start`; a segment that is spelled out wins over a variable, as in the services' routers. */
function walk(at: Node, method: string, path: string, start: number, allowed: Set<string>): Operation | undefined {
  const slash = path.indexOf('/', start);
  const segment = slash === -1 ? path.slice(start) : path.slice(start, slash);
  if (segment === '') return undefined;
  const next = at.statics.get(segment);
  return (
    (next && arrive(next, method, path, slash, allowed)) ??
    (at.variable && arrive(at.variable, method, path, slash, allowed))
  );
}

function arrive(at: Node, method: string, path: string, slash: number, allowed: Set<string>): Operation | undefined {
  if (slash !== -1) return walk(at, method, path, slash + 1, allowed);
  const operation = at.operations.get(method);
  if (!operation) for (const other of at.operations.keys()) allowed.add(other);
  return operation;
}
