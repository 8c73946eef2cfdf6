/** Starts the gateway with all its parts, and stops them in order. */
import { setTimeout as pause } from 'node:timers/promises';
import { connectBus, connectRpc, type Keys, type Log, openMetrics, serveOperationsPort } from '@suite/chassis/gateway';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { changeSignals } from './changes/change-signals.ts';
import type { GatewayConfig } from './config.ts';
import { docs, type DocsFiles } from './docs/docs.ts';
import { gateway } from './gateway.ts';
import { effectivePolicies } from './limits/policies.ts';
import { rateLimits } from './limits/rate-limits.ts';
import type { RequestContext } from './request/request-context.ts';
import type { Routing } from './request/routing.ts';
import { drain, listen } from './server.ts';
import { credentialReader } from './session/credential.ts';
import { openSessions, type Sessions } from './session/session.ts';
import { type BodyReader, bodyReader } from './upstream/bodies.ts';
import { type Deadlines, defaultDeadlines } from './upstream/deadlines.ts';
import { serviceTokenSigner } from './upstream/service-token.ts';
import { type Upstream, upstream } from './upstream/upstream.ts';

export interface RunningGateway {
  url: string;
  operations_url: string;
  /** Waits for running requests and stops every part. */
  stop(): Promise<void>;
}

export interface GatewayOptions {
  config: GatewayConfig;
  routing: Routing;
  keys: Keys;
  log: Log;
  /** Generated files of the API docs. */
  files: DocsFiles;
  deadlines?: Deadlines;
  /** Maximum wait of a request for the rate-limit database. */
  counting_ms?: number;
}

const DRAIN_MS = 15_000;
const PLATFORM = 'platform';

/** Starts a gateway in this process. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { config, routing, log } = options;
  const metrics = openMetrics();
  const { bus, rpc, sessions } = connectPlatform(options);
  const { store, limits } = await openLimits(options);

  let stopping = false;
  let draining = false;
  const readBody = bodyReader();
  const traffic = { running: 0 };
  const upstreams = openUpstreams(options, { sessions, readBody, isStopping: () => stopping });

  const signals = changeSignals(bus);
  const app = gateway({
    routing,
    signals,
    sessions,
    limits,
    upstreams,
    docs: await docs(options.files, limits.limitAnonymous, log),
    origins: config.CORS_ORIGINS,
    trusted_hops: config.TRUST_PROXY,
    traffic,
    deadlines: options.deadlines ?? defaultDeadlines,
    readBody,
    isDraining: () => draining,
    observe: metrics.observe,
    log,
  });
  const { server, port } = await listen(app, listenOptions(config));
  const operations = await serveOperationsPort({
    host: config.HOST,
    port: config.OPERATIONS_PORT,
    registry: metrics.registry,
    isStopping: () => stopping,
    // Without the events of NATS, a cached caller is served for at most five more seconds.
    dependencies: { nats: () => bus.connected() },
  });
  log.info({ port }, 'Service started');

  const stop = async () => {
    stopping = true;
    await pause(config.SHUTDOWN_GRACE_MS);
    draining = true;
    signals.wakeAll();
    await drain(server, () => traffic.running, DRAIN_MS);
    await bus.drain();
    rpc.close();
    for (const one of upstreams.values()) one.close();
    await store?.close();
    operations.close();
    log.info('Service stopped');
  };
  const operations_port = (operations.address() as { port: number }).port;
  return { url: `http://${config.HOST}:${port}`, operations_url: `http://${config.HOST}:${operations_port}`, stop };
}

/** Connects to platform, which knows all sessions, and to its events. */
function connectPlatform({ config, keys, log }: GatewayOptions) {
  const platform_keys = keys.trusted.get(PLATFORM);
  if (!platform_keys) throw new Error(`KEYS_DIR contains no public key of ${PLATFORM}.`);
  const bus = connectBus({ url: config.NATS_URL, credentials: config.NATS_CREDENTIALS, name: 'gateway', log });
  const rpc = connectRpc({ platform: { definition: PlatformServiceDefinition, address: config.RPC_PLATFORM } }, keys);
  const sessions = openSessions({
    read: credentialReader(platform_keys),
    introspect: (request, request_id) => rpc.as(null, request_id).platform.introspect(request),
    bus,
    log,
  });
  return { bus, rpc, sessions };
}

/** Opens the rate limits, counted in a database shared by all gateways or in this process only. */
async function openLimits({ config, log, counting_ms }: GatewayOptions) {
  const url = config.RATE_LIMIT_DATABASE_URL;
  // Loaded only if configured: the driver and the counters have 50 files.
  const store = url ? (await import('./limits/rate-limit-store.ts')).openSharedStore(url, log, counting_ms) : undefined;
  const limits = rateLimits({
    policies: effectivePolicies(config.RATE_LIMITS),
    keepConnections: config.TRUST_PROXY > 0,
    log,
    ...(store && { store: store.store }),
  });
  return { store, limits };
}

/** Allows our own proxies, which open all connections, any number of connections per address. */
function listenOptions({ HOST: host, PORT: port, TRUST_PROXY, CONNECTIONS_PER_ADDRESS }: GatewayConfig) {
  return { host, port, per_address: TRUST_PROXY > 0 ? Number.POSITIVE_INFINITY : CONNECTIONS_PER_ADDRESS };
}

/** Opens the upstreams of all services. */
function openUpstreams(
  { config, keys, log, deadlines = defaultDeadlines }: GatewayOptions,
  { sessions, ...shared }: { sessions: Sessions; readBody: BodyReader; isStopping: () => boolean },
): Map<string, Upstream> {
  const common = {
    signToken: serviceTokenSigner(keys),
    ...shared,
    deadlines,
    keepConnections: config.TRUST_PROXY > 0,
    log,
  };
  const upstreams = Object.entries(config.upstreams).map(([service, url]) => {
    // Platform may have just ended a session, revoked a key or changed a user. The next request must not use the cache.
    const beforeResponse = ({ session, operation, path }: RequestContext) => {
      if (service === PLATFORM && session && operation?.method !== 'GET') sessions.invalidate(session, path);
    };
    return [service, upstream({ ...common, service, url, beforeResponse })] as const;
  });
  return new Map(upstreams);
}
