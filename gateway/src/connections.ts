/** Limits of open connections: for each address, and for all addresses together. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { subnetOf } from './limits/addresses.ts';

/** The largest numbers of open connections. */
export interface ConnectionLimits {
  per_address: number;
  all: number;
}

/** Returns the response that Node is writing, or null between requests. */
const responseOn = (socket: Socket): ServerResponse<IncomingMessage> | null =>
  (socket as Socket & { _httpMessage?: ServerResponse<IncomingMessage> | null })._httpMessage ?? null;

const isIdle = (socket: Socket): boolean => responseOn(socket) === null;
const isReceiving = (socket: Socket): boolean => responseOn(socket)?.req.complete === false;

/**
 * Returns what admits a new connection. An address with too many connections gets no further one. If all connections are
 * in use, a connection of the address with the most is closed: the oldest that is idle, or else the oldest whose request is
 * still being received. Otherwise the idle connections of a few addresses would exclude all other clients.
 * @param refuse responds to a connection that is not admitted
 */
export function connectionLimit(
  { per_address, all }: ConnectionLimits,
  refuse: (socket: Socket) => void,
): (socket: Socket) => void {
  const open = new Map<string, Set<Socket>>();
  let total = 0;
  const remove = (address: string, socket: Socket) => {
    const theirs = open.get(address);
    if (!theirs?.delete(socket)) return;
    total -= 1;
    if (theirs.size === 0) open.delete(address);
  };
  const closeOne = (newcomer: Socket): boolean => {
    let [address, most] = ['', new Set<Socket>()];
    for (const [other, theirs] of open) if (theirs.size > most.size) [address, most] = [other, theirs];
    const theirs = [...most].filter((socket) => socket !== newcomer);
    const victim = theirs.find(isIdle) ?? theirs.find(isReceiving);
    if (!victim) return false;
    remove(address, victim);
    victim.destroy();
    return true;
  };

  return (socket) => {
    const address = subnetOf(socket.remoteAddress);
    const theirs = open.get(address) ?? new Set();
    open.set(address, theirs.add(socket));
    total += 1;
    socket.once('close', () => remove(address, socket));
    const isAdmitted = theirs.size <= per_address && (total <= all || closeOne(socket));
    if (!isAdmitted) refuse(socket);
  };
}
