import dns, { type LookupAddress } from 'node:dns';
import type { Agent } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { http } from '@suite/chassis/gateway';

/** Default time for which a connection is used. */
const LIFETIME_MS = 30_000;

/** Returns the addresses in random order. A connection tries them in order until one accepts it. */
const shuffled = (addresses: readonly LookupAddress[]): LookupAddress[] => {
  const left = [...addresses];
  return addresses.map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0]!);
};

/** Looks up a name, which can belong to several replicas, such as the name of a headless Service of Kubernetes. */
const lookupReplicas: LookupFunction = (name, options, callback) =>
  dns.lookup(name, options, (error, found, family) => {
    callback(error, Array.isArray(found) ? shuffled(found) : found, family);
  });

/**
 * Creates an agent for a service with several replicas. Under steady load, a keep-alive connection would last forever,
 * and a new replica would receive no requests. The agent therefore closes each connection after a time, but only
 * between two requests.
 * @param max_sockets largest number of connections that wait for a request
 * @param lifetime_ms time after which a connection is closed, in milliseconds, give or take a quarter
 */
export function replicaAgent(max_sockets: number, lifetime_ms = LIFETIME_MS): Agent {
  const options = { keepAlive: true, maxFreeSockets: max_sockets, lookup: lookupReplicas };
  const agent = new http.Agent(options);
  const keepSocketAlive = agent.keepSocketAlive.bind(agent);
  const ends = new WeakMap<Duplex, number>();
  agent.keepSocketAlive = (socket) => {
    const now = performance.now();
    const ends_at = ends.get(socket) ?? now + lifetime_ms * (0.75 + Math.random() / 2);
    ends.set(socket, ends_at);
    // Node.js destroys the socket if this is false.
    return now < ends_at && keepSocketAlive(socket);
  };
  return agent;
}
