/** A service: its table of contents, and how it starts and stops. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { PrismaPg } from '@prisma/adapter-pg';
import express from 'express';
import { createHttpTerminator } from 'http-terminator';
import type { TsProtoServiceDefinition } from 'nice-grpc';
import { bind } from './bind.ts';
import { connectBus, type Stoppable } from './bus.ts';
import { type ServiceConfig, serviceConfig } from './config.ts';
import { type Consumer, startConsumers } from './consume.ts';
import { type Database, openDatabase } from './database.ts';
import { fileLinks, openStorage, type Storage } from './files.ts';
import { fingerprints, type Keys, loadKeys } from './identity.ts';
import type { Lifecycle } from './lifecycle.ts';
import { type Log, openLog } from './log.ts';
import { type Mailer, openMailer } from './mail.ts';
import { openMetrics } from './metrics.ts';
import type { Operation } from './operation.ts';
import { serveOperationsPort } from './operations-port.ts';
import { prune, startRelay } from './outbox.ts';
import { connectRpc, type Rpc, type ServedRpc, startRpcServer } from './rpc.ts';
import { type Schedule, startSchedules } from './schedule.ts';

/** What schedules work with. */
export interface Tools<Db = unknown> {
  database: Database<Db>;
  storage: Storage;
  mailer: Mailer;
  log: Log;
  config: ServiceConfig;
}

/** The table of contents of a service. */
export interface Service {
  /** Also the name of its database, its role, its key and its events. */
  name: string;
  /** Makes the generated Prisma client on the adapter. */
  client: (adapter: PrismaPg) => object;
  /** The `.api.ts` modules by the noun that begins the ids of their operations. */
  operations: Record<string, object>;
  /** Drawn in docs/states.md. */
  lifecycles?: readonly Pick<Lifecycle, 'noun' | 'table'>[];
  rpc?: readonly ServedRpc[];
  consumers?: readonly Consumer[];
  schedules?: readonly Schedule<never>[];
  /** The gRPC definitions of the services that it calls. */
  calls?: Record<string, TsProtoServiceDefinition>;
}

/** Declares a service. @throws when two of its operations share a route */
export function service(contents: Service): Service {
  operationsOf(contents);
  return contents;
}

/** A service's operations by their ids: `leads.convert`. */
export function operationsOf({ name, operations }: Service): Map<string, Operation> {
  const found = new Map<string, Operation>();
  const routes = new Set<string>();
  for (const [noun, module] of Object.entries(operations)) {
    for (const [verb, value] of Object.entries(module)) {
      const operation = value as Partial<Operation> | null;
      if (typeof operation?.handle !== 'function' || !operation.path) continue;
      const route = `${operation.method} ${operation.path}`;
      if (routes.has(route)) throw new Error(`${name} declares ${route} twice.`);
      routes.add(route);
      found.set(`${noun}.${verb}`, operation as Operation);
    }
  }
  return found;
}

export interface RunningService {
  name: string;
  url: string;
  grpc_port: number;
  database: Database;
  tools: Tools;
  /** What is not ready yet. */
  notReady(): Promise<string[]>;
  /** Ends in order, and finishes what was begun. */
  stop(): Promise<void>;
}

const DRAIN_MS = 15_000;

async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return (server.address() as AddressInfo).port;
}

function httpServer(app: express.Express): Server {
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 120_000, keepAliveTimeout: 75_000 }, app);
  server.maxConnections = 2_000;
  return server;
}

/** Starts a service in this process. `strict` makes an undeclared fault a failure: for tests. */
export async function startService(
  contents: Service,
  config: ServiceConfig,
  keys: Keys,
  strict = false,
): Promise<RunningService> {
  const { name } = contents;
  const log = openLog(name, config.LOG_LEVEL);
  const metrics = openMetrics();
  const bus = connectBus({ url: config.NATS_URL, name, log });
  const database = openDatabase({
    url: config.DATABASE_URL,
    max: config.DATABASE_CONNECTIONS,
    makeClient: contents.client,
    onCommit: () => relay.wake(),
  });
  const relay = startRelay({ database, bus, log });
  const storage = openStorage(config.FILES_DIR);
  const mailer = openMailer({
    smtp_url: config.SMTP_URL,
    directory: config.MAIL_DIR ?? config.FILES_DIR,
    from: config.MAIL_FROM,
  });
  const neighbours = Object.entries(contents.calls ?? {}).map(([neighbour, definition]) => [
    neighbour,
    { definition, address: config.addresses[neighbour]! },
  ]);
  const rpc: Rpc<Record<string, TsProtoServiceDefinition>> = connectRpc(Object.fromEntries(neighbours), keys);
  const tools: Tools = { database, storage, mailer, log, config };

  const app = express();
  app
    .disable('x-powered-by')
    .disable('etag')
    .set('query parser', 'simple')
    .enable('case sensitive routing')
    .enable('strict routing');
  app.use(
    bind(operationsOf(contents), {
      name,
      keys,
      database,
      storage,
      links: fileLinks(keys.private_key),
      fingerprint: fingerprints(keys),
      log,
      observe: metrics.observe,
      rpc: rpc.as,
      strict,
    }),
  );
  const http = httpServer(app);
  const port = await listen(http, config.HTTP_PORT, config.HOST);
  const terminator = createHttpTerminator({ server: http, gracefulTerminationTimeout: DRAIN_MS });
  const grpc = await startRpcServer({
    host: config.HOST,
    port: config.GRPC_PORT,
    services: contents.rpc ?? [],
    keys,
    database,
    log,
  });

  let stopping = false;
  const notReady = async () => {
    const answers = await database.pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
    return [...(stopping ? ['stopping'] : []), ...(answers ? [] : ['database']), ...(bus.connected() ? [] : ['nats'])];
  };
  const operations_server = await serveOperationsPort({
    host: config.HOST,
    port: config.OPERATIONS_PORT,
    registry: metrics.registry,
    notReady,
  });
  const working: Stoppable[] = [
    startConsumers(contents.consumers ?? [], { bus, database, rpc: rpc.as, log }),
    startSchedules([prune, ...(contents.schedules ?? [])] as Schedule<Tools>[], tools),
  ];
  log.info({ port, grpc_port: grpc.port }, 'started');

  const stop = async () => {
    stopping = true;
    await pause(config.SHUTDOWN_GRACE_MS);
    await Promise.all([terminator.terminate(), grpc.stop(DRAIN_MS)]);
    await Promise.all(working.map((part) => part.stop()));
    await relay.flush(2_000);
    rpc.close();
    await bus.drain();
    await database.close();
    operations_server.close();
    log.info('stopped');
  };
  return { name, url: `http://${config.HOST}:${port}`, grpc_port: grpc.port, database, tools, notReady, stop };
}

/** Runs a service as this process, until it is told to stop. What `main.ts` calls. */
export async function run(contents: Service): Promise<void> {
  try {
    const config = serviceConfig(Object.keys(contents.calls ?? {}));
    const running = await startService(contents, config, loadKeys(contents.name, config.KEYS_DIR));
    endWith(running.stop, running.tools.log);
  } catch (error) {
    process.stderr.write(`${contents.name} cannot start: ${(error as Error).message}\n`);
    process.exit(1);
  }
}

const STOP_MS = 25_000;

/** Ends this process in order on SIGTERM and SIGINT, and at once, but said so, when something escaped all handling. */
export function endWith(stop: () => Promise<void>, log: Log): void {
  const end = (code: number) => {
    setTimeout(() => process.exit(1), code ? 5_000 : STOP_MS).unref();
    stop().then(
      () => process.exit(code),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', () => end(0));
  process.once('SIGINT', () => end(0));
  for (const escaped of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(escaped, (error: unknown) => {
      log.fatal({ err: error }, escaped);
      end(1);
    });
  }
}
