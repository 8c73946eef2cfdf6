/** Clients of a service's RPC methods, for its own tests. */
import { randomUUID } from 'node:crypto';
import type { Caller } from '@suite/chassis/identity';
import type { Clients } from '@suite/chassis/rpc';
import { connectRpc, type ServedRpc } from '@suite/chassis/testing';
import { keysOf, forwardedCaller, type ServiceUnderTest } from '../start.ts';

type Definition = ServedRpc['definition'];
type ClientOf<D extends Definition> = Clients<{ service: D }>['service'];
type Call = (request: object) => Promise<unknown>;

/** Returns the process that calls a method in tests: the first service that the method names, or else the gateway. */
const callerOf = ({ declared = {} }: ServedRpc, method: string): string => declared[method]?.only?.[0] ?? 'gateway';

/**
 * Returns clients of a running service. A service with access calls each method, with or without a caller.
 * @param served the methods with their declarations
 */
export function methodClients<D extends Definition>(serving: ServiceUnderTest, served: ServedRpc & { definition: D }) {
  const address = `127.0.0.1:${serving.grpc_port}`;
  // Tokens are valid for the service that the protobuf package names.
  const [, name = ''] = served.definition.fullName.split('.');
  const connections = new Map<string, ReturnType<typeof connectRpc<Record<string, D>>>>();
  const connectionOf = (process_name: string) => {
    const known = connections.get(process_name);
    if (known) return known;
    const connection = connectRpc({ [name]: { definition: served.definition, address } }, keysOf(process_name));
    connections.set(process_name, connection);
    return connection;
  };
  return (caller: Caller | null = null, as?: string): ClientOf<D> =>
    new Proxy({} as ClientOf<D>, {
      get(_, method: string): Call | undefined {
        // Awaiting the clients in an async function reads the property `then`.
        if (!(method in served.definition.methods)) return undefined;
        const process_name = as ?? callerOf(served, method);
        const known = caller && process_name !== 'gateway' ? forwardedCaller(process_name, caller) : caller;
        const client = connectionOf(process_name).as(known, randomUUID())[name] as unknown as Record<string, Call>;
        return (request) => client[method]!(request);
      },
    });
}
