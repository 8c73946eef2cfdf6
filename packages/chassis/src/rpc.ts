/** Calls between services: gRPC with a deadline, the caller's identity, and the same faults on both sides. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import {
  type CallContext,
  type Channel,
  type Client,
  type ClientMiddleware,
  ClientError,
  createChannel,
  createClientFactory,
  createServer,
  Metadata,
  ServerError,
  type ServerMiddleware,
  type ServiceImplementation,
  Status,
  type TsProtoServiceDefinition,
} from 'nice-grpc';
import { type DeadlineOptions, deadlineMiddleware } from 'nice-grpc-client-middleware-deadline';
import type { Database } from './database.ts';
import { Fault, Internal, Unauthenticated } from './fault.ts';
import type { Caller, Keys } from './identity.ts';
import type { Log } from './log.ts';

/** What a method knows beside its request. */
export interface RpcContext<Db = unknown> {
  /** Null when a service calls for itself. */
  caller: Caller | null;
  /** The process that calls. */
  issuer: string;
  request_id: string;
  database: Database<Db>;
}

/** A gRPC service with its methods, bound to nothing yet. */
export interface ServedRpc {
  definition: TsProtoServiceDefinition;
  methods: ServiceImplementation<TsProtoServiceDefinition, RpcContext<never>>;
}

/** Declares what a service answers: `serveRpc(PlatformServiceDefinition, { introspect: async (request, { caller }) => … })`. */
export function serveRpc<Definition extends TsProtoServiceDefinition, Db = unknown>(
  definition: Definition,
  methods: ServiceImplementation<Definition, RpcContext<Db>>,
): ServedRpc {
  return { definition, methods: methods as unknown as ServedRpc['methods'] };
}

const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const FAULT = 'suite-fault-bin';

const STATUS_CODES: Record<number, Status> = {
  401: Status.UNAUTHENTICATED,
  403: Status.PERMISSION_DENIED,
  404: Status.NOT_FOUND,
  409: Status.FAILED_PRECONDITION,
  412: Status.ABORTED,
  422: Status.INVALID_ARGUMENT,
  429: Status.RESOURCE_EXHAUSTED,
  // Not UNAVAILABLE: that says that the request has not arrived.
  503: Status.ABORTED,
};

/** Puts a fault into the trailer; what is no fault is a bug, and its text stays here. */
function refuse(error: unknown, context: CallContext, log: Log): ServerError {
  if (!(error instanceof Fault)) log.error({ err: error }, 'A gRPC method failed.');
  const { status, code, message, errors, details } = error instanceof Fault ? error : Internal();
  context.trailer.set(FAULT, Buffer.from(JSON.stringify({ status, code, message, errors, details })));
  return new ServerError(STATUS_CODES[status] ?? Status.INTERNAL, message);
}

export interface RpcServer {
  port: number;
  /** Stops accepting, waits this long for calls that run, and cuts the rest off. */
  stop(grace_ms: number): Promise<void>;
}

/** Serves gRPC. Every call must carry a token that was signed for this service. */
export async function startRpcServer(options: {
  host: string;
  port: number;
  services: readonly ServedRpc[];
  keys: Keys;
  database: Database;
  log: Log;
}): Promise<RpcServer> {
  const { keys, log, database } = options;
  const guard: ServerMiddleware<RpcContext> = async function* (call, context) {
    const request_id = context.metadata.get('x-request-id') ?? randomUUID();
    try {
      const [, token] = context.metadata.get('authorization')?.split('Bearer ') ?? [];
      if (!token) throw Unauthenticated();
      const { issuer, caller } = keys.verify(token, keys.issuer);
      return yield* call.next(call.request, { ...context, issuer, caller, request_id, database });
    } catch (error) {
      throw refuse(error, context, log.child({ request_id, method: call.method.path }));
    }
  };
  const server = createServer({ 'grpc.max_receive_message_length': MAX_MESSAGE_BYTES }).use(guard);
  for (const { definition, methods } of options.services) server.add(definition, methods);
  const port = await server.listen(`${options.host}:${options.port}`);
  return {
    port,
    async stop(grace_ms) {
      const cut = setTimeout(() => server.forceShutdown(), grace_ms);
      await server.shutdown();
      clearTimeout(cut);
    },
  };
}

const DEADLINE_MS = 2_000;
const RETRIES = 2;
const SAFE = /\/(Get|List|Batch|Introspect|Check)[^/]*$/;

const CHANNEL = {
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
};

/** Repeats, within the deadline, what never arrived and may be repeated: reads, and writes with a key. */
const retry: ClientMiddleware = async function* (call, options) {
  const keyed = !call.requestStream && (call.request as { idempotency_key?: string }).idempotency_key;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return yield* call.next(call.request, options);
    } catch (error) {
      const missed = error instanceof ClientError && error.code === Status.UNAVAILABLE;
      if (!missed || attempt === RETRIES || !(keyed || SAFE.test(call.method.path))) throw error;
      await pause(50 + Math.random() * 300 * 2 ** attempt, undefined, { signal: options.signal });
    }
  }
};

/** Turns every failure into a fault: the other side's own, or one that names the service that did not answer. */
const faults = (service: string): ClientMiddleware =>
  async function* (call, options) {
    let trailer: Metadata | undefined;
    const onTrailer = (metadata: Metadata) => {
      trailer = metadata;
    };
    try {
      return yield* call.next(call.request, { ...options, onTrailer });
    } catch (error) {
      const told = trailer?.get(FAULT);
      if (told) {
        const { status, code, message, ...more } = JSON.parse(Buffer.from(told).toString());
        throw new Fault(status, code, message, more);
      }
      if (!(error instanceof ClientError)) throw error;
      const late = error.code === Status.DEADLINE_EXCEEDED;
      const down = late
        ? new Fault(504, `${service}_timeout`, `The ${service} service took too long.`)
        : new Fault(503, `${service}_unavailable`, `The ${service} service does not answer.`);
      throw Object.assign(down, { cause: error });
    }
  };

type Definitions = Record<string, TsProtoServiceDefinition>;

/** The clients of the services that a service calls: `rpc.platform.batchGetUsers({ user_ids })`. */
export type Clients<D extends Definitions> = { [Name in keyof D]: Client<D[Name], DeadlineOptions> };

export interface Rpc<D extends Definitions> {
  /** Clients that speak for a caller; for the service itself when it is null. */
  as(caller: Caller | null, request_id: string): Clients<D>;
  close(): void;
}

/** Makes clients for other services. The name of a service is the audience of its tokens. Nothing is connected yet. */
export function connectRpc<D extends Definitions>(
  services: { [Name in keyof D]: { definition: D[Name]; address: string } },
  keys: Keys,
): Rpc<D> {
  const tokens = new LRUCache<string, string>({ max: 1_000, ttl: 30_000 });
  const channels: Channel[] = [];
  const neighbours = Object.entries(services).map(([name, { definition, address }]) => {
    const channel = createChannel(address, undefined, CHANNEL);
    channels.push(channel);
    const factory = createClientFactory().use(retry).use(deadlineMiddleware).use(faults(name));
    const client = factory.create(definition, channel, { '*': { deadline: DEADLINE_MS } });
    return { name, client: client as Record<string, (request: object, options: object) => Promise<unknown>> };
  });

  function token(audience: string, caller: Caller | null): string {
    const key = `${audience} ${JSON.stringify(caller)}`;
    const known = tokens.get(key) ?? keys.sign(audience, caller);
    if (!tokens.has(key)) tokens.set(key, known);
    return known;
  }

  return {
    as(caller, request_id) {
      const clients = neighbours.map(({ name, client }) => {
        const metadata = () => Metadata({ authorization: `Bearer ${token(name, caller)}`, 'x-request-id': request_id });
        const methods = Object.entries(client).map(([method, call]) => [
          method,
          (request: object, options: object) => call(request, { metadata: metadata(), ...options }),
        ]);
        return [name, Object.fromEntries(methods)];
      });
      return Object.fromEntries(clients);
    },
    close() {
      for (const channel of channels) channel.close();
    },
  };
}
