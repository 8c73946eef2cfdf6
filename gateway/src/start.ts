/** Puts the gateway together, and takes it apart in order. */
import { setTimeout as pause } from 'node:timers/promises';
import { connectBus, connectRpc, type Keys, type Log, openMetrics, serveOperationsPort } from '@suite/chassis/gateway';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { bodyReader } from './upstream/bodies.ts';
import type { GatewayConfig } from './config.ts';
import { credentialReader } from './session/credential.ts';
import { docs } from './docs/docs.ts';
import type { Exchange } from './request/request-context.ts';
import { gateway } from './gateway.ts';
import { introducer } from './upstream/service-token.ts';
import { openSharedStore } from './limits/rate-limit-store.ts';
import { effectivePolicies, limits } from './limits/rate-limits.ts';
import { type Deadlines, deadlines, type Upstream, upstream } from './upstream/upstream.ts';
import type { Routing } from './request/routing.ts';
import { drain, listen } from './server.ts';
import { type Sessions, sessions } from './session/session.ts';

export interface RunningGateway {
  url: string;
  operations_url: string;
  /** Ends in order, and finishes what was begun. */
  stop(): Promise<void>;
}

export interface GatewayOptions {
  config: GatewayConfig;
  routing: Routing;
  keys: Keys;
  log: Log;
  /** The generated OpenAPI document. */
  document: string | URL;
  /** The generated catalogue of error codes. */
  errors: string | URL;
  deadlines?: Deadlines;
  /** How long a request waits for the database that counts the limits. */
  counting_ms?: number;
}

const DRAIN_MS = 15_000;
const PLATFORM = 'platform';

/** Starts a gateway in this process. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { config, routing, keys, log } = options;
  const trusted = keys.trusted.get(PLATFORM);
  if (!trusted) throw new Error(`KEYS_DIR has no public key of ${PLATFORM}.`);

  const metrics = openMetrics();
  const bus = connectBus({ url: config.NATS_URL, credentials: config.NATS_CREDENTIALS, name: 'gateway', log });
  const rpc = connectRpc({ platform: { definition: PlatformServiceDefinition, address: config.RPC_PLATFORM } }, keys);
  const people = sessions({
    read: credentialReader(trusted),
    introspect: (request, request_id) => rpc.as(null, request_id).platform.introspect(request),
    bus,
    log,
  });

  const { shared, limited } = openLimits(options);

  let stopping = false;
  const traffic = { running: 0 };
  const ways = openWays(options, people, () => stopping);

  const app = gateway({
    routing,
    sessions: people,
    limits: limited,
    upstreams: ways,
    docs: await docs({ file: options.document, errors: options.errors, limit: limited.limitAnonymous, log }),
    origins: config.CORS_ORIGINS,
    hops: config.TRUST_PROXY,
    traffic,
    observe: metrics.observe,
    log,
  });
  const { server, port } = await listen(app, whereToListen(config));
  // Ready without NATS: callers are then asked for every five seconds, and nobody is let in by mistake.
  const notReady = async () => (stopping ? ['stopping'] : []);
  const at = { host: config.HOST, port: config.OPERATIONS_PORT };
  const operations = await serveOperationsPort({ ...at, registry: metrics.registry, notReady });
  log.info({ port }, 'started');

  const stop = async () => {
    stopping = true;
    await pause(config.SHUTDOWN_GRACE_MS);
    await drain(server, () => traffic.running, DRAIN_MS);
    await bus.drain();
    rpc.close();
    for (const way of ways.values()) way.close();
    await shared?.close();
    operations.close();
    log.info('stopped');
  };
  const operations_port = (operations.address() as { port: number }).port;
  return { url: `http://${config.HOST}:${port}`, operations_url: `http://${config.HOST}:${operations_port}`, stop };
}

/** The limits, counted in a database that all gateways share, or by this one alone. */
function openLimits({ config, log, counting_ms }: GatewayOptions) {
  const url = config.RATE_LIMIT_DATABASE_URL;
  const shared = url ? openSharedStore(url, log, counting_ms) : undefined;
  const policies = effectivePolicies(config.RATE_LIMITS);
  const store = shared && { store: shared.store };
  return { shared, limited: limits({ policies, keepConnections: config.TRUST_PROXY > 0, log, ...store }) };
}

/** Behind proxies of ours all connections are theirs. */
function whereToListen({ HOST: host, PORT: port, TRUST_PROXY, CONNECTIONS_PER_ADDRESS }: GatewayConfig) {
  return { host, port, per_address: TRUST_PROXY > 0 ? Number.POSITIVE_INFINITY : CONNECTIONS_PER_ADDRESS };
}

/** The ways to all services. */
function openWays(options: GatewayOptions, people: Sessions, isStopping: () => boolean): Map<string, Upstream> {
  const { config, keys, log } = options;
  const times = options.deadlines ?? deadlines;
  const keepConnections = config.TRUST_PROXY > 0;
  const common = {
    introduce: introducer(keys),
    read: bodyReader(),
    deadlines: times,
    keepConnections,
    isStopping,
    log,
  };
  const ways = Object.entries(config.upstreams).map(([service, url]) => {
    // Platform may just have ended a session, revoked a key or changed a user: the next request must not be told from memory.
    const beforeAnswer = ({ session, operation, path }: Exchange) => {
      if (service === PLATFORM && session && operation?.method !== 'GET') people.forget(session, path);
    };
    return [service, upstream({ ...common, service, url, beforeAnswer })] as const;
  });
  return new Map(ways);
}
