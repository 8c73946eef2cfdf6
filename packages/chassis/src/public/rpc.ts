/** Methods for other services, and clients of other services. */
export { deleteKeys, fingerprintOf, KeyReused, KeyReversed, undoKeys } from '../rpc/keys.ts';
export { methods, serveMethods } from '../rpc/method.ts';
export { type Clients, serveRpc } from '../rpc/rpc.ts';
