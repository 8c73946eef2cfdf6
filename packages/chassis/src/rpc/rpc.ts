/** Calls between services: gRPC with a deadline, the caller's identity, and the same faults on both sides. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as grpc from 'nice-grpc';
import { type DeadlineOptions, deadlineMiddleware } from 'nice-grpc-client-middleware-deadline';
import type { Database } from '../database/database.ts';
import { clock } from '../runtime/clock.ts';
import { deadline } from '../runtime/config.ts';
import { Fault, Forbidden, Internal, Unauthenticated } from '../runtime/fault.ts';
import type { Storage } from '../storage/storage.ts';
import { type Caller, type Credentials, fingerprints, type Keys } from '../identity/identity.ts';
import { withoutUndeclaredFields } from './declared.ts';
import type { Method } from './method.ts';
import { MAX_MESSAGE_BYTES, openReplicas } from './replicas.ts';
import type { Log } from '../runtime/log.ts';
import { assertText } from '../schema/text.ts';

/** Context of a method in addition to its request. */
export interface RpcContext<Db = unknown> {
  /** Null if a service calls for itself. Without permissions if the service only names the user. */
  caller: Caller | null;
  /** The calling process. */
  issuer: string;
  request_id: string;
  /** When the caller stops waiting, by `performance.now()`. Undefined if the call has no deadline. */
  ends_at?: number | undefined;
  database: Database<Db>;
  /** The storage of the service's files. */
  storage: Storage;
  /** The service's own keys. */
  keys: Keys;
  /** Creates a fingerprint of a secret. The secret cannot be derived from the fingerprint. */
  seal(secret: object): string;
}

/** A gRPC service with its methods, bound to nothing yet. */
export interface ServedRpc {
  definition: grpc.TsProtoServiceDefinition;
  methods: grpc.ServiceImplementation<grpc.TsProtoServiceDefinition, RpcContext<never>>;
  /** Methods that a service may call for itself in a workspace, to settle an earlier request of a user. */
  by_itself: readonly string[];
  /** Declarations, if there are any. A fake service in a test has none. */
  declared?: Readonly<Record<string, Method>>;
}

/**
 * Declares the methods of a service: `serveRpc(PlatformServiceDefinition, { introspect: async (request, { caller }) =>
 * … })`.
 */
export function serveRpc<Definition extends grpc.TsProtoServiceDefinition, Db = unknown>(
  definition: Definition,
  methods: grpc.ServiceImplementation<Definition, RpcContext<Db>>,
  by_itself: readonly (keyof Definition['methods'] & string)[] = [],
): ServedRpc {
  return { definition, methods, by_itself };
}

const FAULT = 'suite-fault-bin';
const ON_BEHALF = 'x-on-behalf';
/** The header with the time that the caller waits, in milliseconds. Methods cannot read gRPC's own deadline. */
const WAITS_MS = 'x-deadline-ms';

/**
 * gRPC statuses by HTTP status. A 5xx fault is never UNAVAILABLE, because that status means that the request has not
 * arrived and can be repeated.
 */
const STATUS_CODES: Record<number, grpc.Status> = {
  401: grpc.Status.UNAUTHENTICATED,
  403: grpc.Status.PERMISSION_DENIED,
  404: grpc.Status.NOT_FOUND,
  409: grpc.Status.FAILED_PRECONDITION,
  422: grpc.Status.INVALID_ARGUMENT,
  429: grpc.Status.RESOURCE_EXHAUSTED,
};

/** Puts a fault into the trailer. Any other error is a bug, and its text is only logged. */
function toServerError(error: unknown, { trailer }: grpc.CallContext, log: Log): grpc.ServerError {
  if (!(error instanceof Fault) || error.status >= 500) log.error({ err: error }, 'gRPC method failed');
  const { status, code, message, errors, details } = error instanceof Fault ? error : Internal();
  trailer.set(FAULT, Buffer.from(JSON.stringify({ status, code, message, errors, details })));
  return new grpc.ServerError(STATUS_CODES[status] ?? grpc.Status.INTERNAL, message);
}

/** Returns the paths of the methods that a service may call for itself. */
const selfCallablePaths = (services: readonly ServedRpc[]): Set<string> =>
  new Set(
    services.flatMap(({ definition, by_itself }) =>
      by_itself.map((name) => `/${definition.fullName}/${definition.methods[name]!.name}`),
    ),
  );

/** Returns the caller's deadline, by the clock of this process. */
function endOf(metadata: grpc.Metadata): number | undefined {
  const left_ms = Number(metadata.get(WAITS_MS));
  return left_ms > 0 ? performance.now() + left_ms : undefined;
}

/** Returns the time until a deadline, in milliseconds. */
const timeUntil = (end: Date | number): number =>
  typeof end === 'number' ? end : end.getTime() - clock.now().getTime();

/**
 * Serves gRPC. Every call must carry a token that was signed for this service, and the gateway's token for the caller.
 */
export async function startRpcServer(options: {
  host: string;
  port: number;
  services: readonly ServedRpc[];
  keys: Keys;
  database: Database;
  storage: Storage;
  log: Log;
  /** In tests, makes a fault that its method does not declare a failure. */
  strict?: boolean;
}) {
  const { keys, log, database, storage } = options;
  const settled = selfCallablePaths(options.services);
  const seal = fingerprints(keys);
  const guard: grpc.ServerMiddleware<RpcContext> = async function* (call, context) {
    const request_id = context.metadata.get('x-request-id') ?? randomUUID();
    try {
      const [, token] = context.metadata.get('authorization')?.split('Bearer ') ?? [];
      if (!token) throw Unauthenticated();
      const on_behalf = context.metadata.get(ON_BEHALF);
      const { issuer, caller, vouched } = keys.hear({ token, on_behalf }, keys.issuer);
      if (caller && !vouched && !settled.has(call.method.path)) throw Forbidden({ service: issuer });
      const ends_at = endOf(context.metadata);
      const called = { ...context, issuer, caller, request_id, ends_at, database, storage, keys, seal };
      return yield* call.next(call.request, called);
    } catch (thrown) {
      const error = options.strict ? withoutUndeclaredFields(options.services, call.method.path, thrown) : thrown;
      throw toServerError(error, context, log.child({ request_id, method: call.method.path }));
    }
  };
  const server = grpc.createServer({ 'grpc.max_receive_message_length': MAX_MESSAGE_BYTES }).use(guard);
  for (const { definition, methods } of options.services) server.add(definition, methods);
  return {
    port: await server.listen(`${options.host}:${options.port}`),
    /** Stops accepting calls, waits this long for running calls, and aborts the remaining ones. */
    async stop(grace_ms: number): Promise<void> {
      const cut = setTimeout(() => server.forceShutdown(), grace_ms);
      await server.shutdown();
      clearTimeout(cut);
    },
  };
}

const DEADLINE_MS = 2_000;
const REUSE_MS = 30_000;
const RETRIES = 2;
const SAFE = /\/(Get|List|Batch|Introspect|Check)[^/]*$/;

/** Retries within the deadline calls that never arrived and can be repeated: reads, and writes with a key. */
const retry: grpc.ClientMiddleware = async function* (call, options) {
  const idempotent = !call.requestStream && (call.request as { idempotency_key?: string }).idempotency_key;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return yield* call.next(call.request, options);
    } catch (error) {
      const missed = error instanceof grpc.ClientError && error.code === grpc.Status.UNAVAILABLE;
      if (!missed || attempt === RETRIES || !(idempotent || SAFE.test(call.method.path))) throw error;
      await pause(100 * 2 ** attempt + Math.random() * 300, undefined, { signal: options.signal });
    }
  }
};

/** Converts every failure to a fault: the server's own fault, or one that names the unavailable service. */
const faultMiddleware = (service: string): grpc.ClientMiddleware =>
  async function* (call, options) {
    let told: Uint8Array | undefined;
    const onTrailer = (trailer: grpc.Metadata) => {
      told = trailer.get(FAULT);
    };
    try {
      return yield* call.next(call.request, { ...options, onTrailer });
    } catch (cause) {
      if (told) {
        const { status, code, message, ...more } = JSON.parse(Buffer.from(told).toString());
        throw new Fault(status, code, message, more);
      }
      if (!(cause instanceof grpc.ClientError)) throw cause;
      const late = cause.code === grpc.Status.DEADLINE_EXCEEDED;
      const down = late
        ? new Fault(504, `${service}_timeout`, `The ${service} service took too long.`)
        : new Fault(503, `${service}_unavailable`, `The ${service} service does not answer.`);
      throw Object.assign(down, { cause });
    }
  };

type Definitions = Record<string, grpc.TsProtoServiceDefinition>;

/** The clients of the services that a service calls: `rpc.platform.batchGetUsers({ user_ids })`. */
export type Clients<D extends Definitions> = { [Name in keyof D]: grpc.Client<D[Name], DeadlineOptions> };
export type Rpc<D extends Definitions> = ReturnType<typeof connectRpc<D>>;

/** Returns the service of a client: `crm` for `crm` and `crm.records`. */
export const serviceOfClient = (name: string): string => name.split('.')[0]!;

/** Prepares the client of one gRPC service. */
function targetOf<D extends grpc.TsProtoServiceDefinition>(
  name: string,
  { definition, address }: { definition: D; address: string },
  lifetime_ms: number | undefined,
) {
  const audience = serviceOfClient(name);
  const factory = grpc.createClientFactory().use(retry).use(deadlineMiddleware).use(faultMiddleware(audience));
  return { name, audience, definition, factory, replicas: openReplicas(address, lifetime_ms) };
}

/**
 * Creates clients for other services. The name of a service is the audience of its tokens. A service with several gRPC services has
 * several clients: `crm`, `crm.records`. Opens no connection yet.
 * @param lifetime_ms time after which a channel is replaced, in milliseconds
 */
export function connectRpc<D extends Definitions>(
  services: { [Name in keyof D]: { definition: D[Name]; address: string } },
  keys: Keys,
  lifetime_ms?: number,
) {
  const spoken = new WeakMap<Caller | Keys, Map<string, { said: Credentials; fresh_until: number }>>();
  const targets = Object.entries(services).map(([name, service]) => targetOf(name, service, lifetime_ms));
  /** Returns credentials, signed once per caller and service and cached for half of their lifetime. */
  const credentials = (audience: string, caller: Caller | null): Credentials => {
    const known = spoken.get(caller ?? keys) ?? new Map<string, { said: Credentials; fresh_until: number }>();
    const before = known.get(audience);
    if (before && before.fresh_until > performance.now()) return before.said;
    const said = keys.speak(audience, caller);
    known.set(audience, { said, fresh_until: performance.now() + REUSE_MS });
    spoken.set(caller ?? keys, known);
    return said;
  };
  return {
    /**
     * Clients that act for a caller whom the gateway sent, or for the service itself (null). Any other caller has no
     * rights, and only methods that permit it accept their calls.
     * @param ends_at time at which the caller stops waiting, by `performance.now()`. No call lasts longer. By default,
     * each call has its own deadline.
     */
    as(caller: Caller | null, request_id: string, ends_at = Infinity): Clients<D> {
      const made = new Map<string, unknown>();
      const make = ({ audience, definition, factory, replicas }: (typeof targets)[number]) => {
        const speak: grpc.ClientMiddleware<DeadlineOptions, DeadlineOptions> = (call, options) => {
          // Checked only here: encoding replaces half of a surrogate pair with another character, which the server
          // cannot detect.
          assertText(call.request);
          const { token, on_behalf } = credentials(audience, caller);
          const { deadline: end = deadline(DEADLINE_MS) } = options;
          const waits_ms = Math.max(1, Math.ceil(Math.min(timeUntil(end), ends_at - performance.now())));
          const said = {
            authorization: `Bearer ${token}`,
            'x-request-id': request_id,
            [WAITS_MS]: String(waits_ms),
          };
          const metadata = grpc.Metadata({ ...said, ...(on_behalf && { [ON_BEHALF]: on_behalf }) });
          return call.next(call.request, { ...options, deadline: waits_ms, metadata });
        };
        return factory.use(speak).create(definition, replicas.channel(), { '*': { deadline: deadline(DEADLINE_MS) } });
      };
      // Most requests call no other service, so a client is created on first use.
      const get = (_: object, name: string | symbol) => {
        const target = targets.find((each) => each.name === name);
        if (target && !made.has(target.name)) made.set(target.name, make(target));
        return made.get(String(name));
      };
      return new Proxy({}, { get }) as Clients<D>;
    },
    close(): void {
      for (const { replicas } of targets) replicas.close();
    },
  };
}
