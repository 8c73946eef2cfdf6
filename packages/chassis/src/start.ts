/** Start and stop of a service. */
import { openScan } from './files/file-scan.ts';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openMailer } from '@suite/mail';
import { openOutgoing } from '@suite/outbound-http';
import express from 'express';
import { createHttpTerminator } from 'http-terminator';
import type { TsProtoServiceDefinition } from 'nice-grpc';
import { bind, type Host } from './http/bind.ts';
import { type Bus, connectBus, type Stoppable } from './bus/bus.ts';
import { clock } from './runtime/clock.ts';
import { deadline, type ServiceConfig, serviceConfig, settingsOf } from './runtime/config.ts';
import { startConsumers } from './messaging/consume.ts';
import { eventName } from './operation/events.ts';
import { type Database, openDatabase } from './database/database.ts';
import { shutDownWith } from './runtime/shut-down.ts';
import { fileLinks } from './identity/file-links.ts';
import { openStorage } from './storage/storage.ts';
import { fingerprints, type Keys, loadKeys } from './identity/identity.ts';
import { openLog } from './runtime/log.ts';
import { setPublicAddress } from './runtime/public-address.ts';
import { openMetrics, showDatabase } from './runtime/metrics.ts';
import { assertMigrated } from './database/migrated.ts';
import { serveOperationsPort } from './runtime/operations-port.ts';
import { epochOf, type Relay, startRelay } from './journal/relay.ts';
import { prune } from './journal/retention.ts';
import { connectRpc, type Rpc, serviceOfClient, startRpcServer } from './rpc/rpc.ts';
import { type Schedule, WakeSignals, startSchedules } from './schedules/schedule.ts';
import { countEarlierFiles } from './schedules/storage-report.ts';
import { ReferenceServiceDefinition } from '@suite/proto/references/v1/references';
import { serveReferences } from './references/counting.ts';
import type { Referrers } from './references/deletion.ts';
import { guards } from './references/guards.ts';
import { serveRecords } from './history/records-rpc.ts';
import { calledServices, operationsOf, type Service, type JobContext } from './service.ts';
import { http, trimMemory } from './runtime/memory.ts';
import { watchEventLoop } from './watchdog/watchdog.ts';

export interface RunningService {
  name: string;
  url: string;
  grpc_port: number;
  database: Database;
  tools: JobContext;
  /** Stops in order, and finishes work in progress. */
  stop(): Promise<void>;
}

const DRAIN_MS = 15_000;
const FLUSH_MS = 2_000;

/** Parts of a service: its bus, its database with the relay, the other services, and its tools. */
interface Foundation {
  bus: Bus;
  database: Database;
  relay: Relay;
  wakeSignals: WakeSignals;
  rpc: Rpc<Record<string, TsProtoServiceDefinition>>;
  tools: JobContext;
}

function openFoundation(
  { name, client, visibility, calls = {}, consumers = [] }: Service,
  config: ServiceConfig,
  keys: Keys,
): Foundation {
  const log = openLog(name, config.LOG_LEVEL);
  const { NATS_URL: url, NATS_CREDENTIALS: credentials, NATS_REPLICAS: replicas } = config;
  const wakeSignals = new WakeSignals();
  const database = openDatabase({
    settings: config,
    max: config.DATABASE_CONNECTIONS,
    wait_ms: deadline(config.DATABASE_WAIT_MS),
    makeClient: client,
    visibility,
    onCommit: (due) => {
      relay.wake();
      wakeSignals.wake(due);
    },
    onChange: (workspace_id) => bus.signal('changes', workspace_id),
  });
  const services = [name, ...consumers.map(({ event }) => eventName(event).split('.')[0]!)];
  const epochs = { own: () => epochOf(database), services };
  const bus = connectBus({ url, credentials, replicas, name, log, epochs });
  const relay = startRelay({ database, bus, log });
  const mail = { smtp_url: config.SMTP_URL, directory: config.MAIL_DIR ?? '', from: config.MAIL_FROM, now: clock.now };
  const called = Object.entries(calls).map(([service, definition]) => {
    return [service, { definition, address: config.addresses[serviceOfClient(service)]! }];
  });
  const rpc = connectRpc(Object.fromEntries(called), keys);
  const scan = openScan(
    {
      url: config.FILE_SCAN_URL,
      timeout_ms: config.FILE_SCAN_TIMEOUT_MS,
      on_failure: config.FILE_SCAN_ON_FAILURE,
    },
    log,
  );
  const { FILES_S3_BUCKET, FILES_S3_ENDPOINT: endpoint, FILES_S3_REGION: region } = config;
  const s3 = FILES_S3_BUCKET ? { bucket: FILES_S3_BUCKET, folder: name, endpoint, region } : undefined;
  const storage = openStorage(config.FILES_DIR, { scan, s3 });
  const outgoing = openOutgoing({ trusted_hosts: config.OUTGOING_TRUSTED_HOSTS });
  const tools = { database, storage, mailer: openMailer(mail), outgoing, log, config, keys, rpc: rpc.as };
  return { bus, database, relay, wakeSignals, rpc, tools };
}

/** Returns clients of the services that are asked before a record is deleted. */
function connectReferrers({ owns = [] }: Service, { addresses }: ServiceConfig, keys: Keys) {
  const names = [...new Set(owns.flatMap(({ referrers }) => referrers))];
  const asked = names.map((name) => [name, { definition: ReferenceServiceDefinition, address: addresses[name]! }]);
  const rpc: Rpc<Record<string, typeof ReferenceServiceDefinition>> = connectRpc(Object.fromEntries(asked), keys);
  return rpc;
}

/** Serves the operations over HTTP. */
async function serveHttp(contents: Service, host: Host, { HOST, HTTP_PORT }: ServiceConfig): Promise<Server> {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.enable('case sensitive routing').enable('strict routing');
  app.use(bind(operationsOf(contents), host));
  const server = http.createServer({ headersTimeout: 10_000, requestTimeout: 120_000, keepAliveTimeout: 75_000 }, app);
  server.maxConnections = 2_000;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(HTTP_PORT, HOST, resolve));
  return server;
}

/** Returns true if both pools respond. @throws the error of a pool that does not */
const isReachable = ({ pool, requests }: Database): Promise<boolean> =>
  Promise.all([pool, requests].map((each) => each.query('SELECT 1'))).then(() => true);

/** Returns the gRPC services of a service: its own, and those for its declared references and records. */
const servedRpc = ({ rpc = [], references = [], records = [], record_readers = [] }: Service) => [
  ...rpc,
  ...(references.length > 0 ? [serveReferences(references)] : []),
  ...(records.length > 0 ? [serveRecords(records, record_readers)] : []),
];

/** Starts a service in this process. `strict` makes an undeclared fault a failure: for tests. */
export async function startService(
  contents: Service,
  config: ServiceConfig,
  keys: Keys,
  strict = false,
): Promise<RunningService> {
  const { name } = contents;
  const { HOST: host } = config;
  const { bus, database, relay, wakeSignals, rpc, tools } = openFoundation(contents, config, keys);
  const { log, storage, outgoing } = tools;
  const metrics = openMetrics();
  showDatabase(metrics, database);
  const public_url = config.PUBLIC_URL;
  setPublicAddress(public_url);
  const secrets = { keys, links: fileLinks(keys.private_key, public_url), fingerprint: fingerprints(keys) };
  const given = { name, database, storage, log, observe: metrics.observe, rpc: rpc.as, strict, ...secrets };
  const referrers = connectReferrers(contents, config, keys);
  const guard = guards(contents, database, ({ caller, request_id }): Referrers => referrers.as(caller, request_id));
  const http = await serveHttp(contents, { ...given, outgoing, public_url, guard }, config);
  const { port } = http.address() as AddressInfo;
  const terminator = createHttpTerminator({ server: http, gracefulTerminationTimeout: DRAIN_MS });
  const grpc = await startRpcServer({ host, port: config.GRPC_PORT, services: servedRpc(contents), ...given });

  let stopping = false;
  const operations = await serveOperationsPort({
    host,
    port: config.OPERATIONS_PORT,
    registry: metrics.registry,
    isStopping: () => stopping,
    refusal: () => bus.refusal(),
    dependencies: { database: () => isReachable(database), nats: () => bus.connected() },
  });
  const working: Stoppable[] = [
    startConsumers(contents.consumers ?? [], { bus, database, rpc: rpc.as, log }),
    startSchedules(
      [prune, countEarlierFiles, ...(contents.schedules ?? [])] as Schedule<JobContext>[],
      tools,
      wakeSignals,
    ),
  ];
  log.info({ port, grpc_port: grpc.port }, 'Service started');

  const stop = async () => {
    stopping = true;
    await pause(config.SHUTDOWN_GRACE_MS);
    await Promise.all([terminator.terminate(), grpc.stop(DRAIN_MS)]);
    await Promise.all(working.map((part) => part.stop()));
    await relay.flush(FLUSH_MS);
    rpc.close();
    referrers.close();
    await bus.drain();
    await database.close();
    operations.close();
    log.info('Service stopped');
  };
  return { name, url: `http://${host}:${port}`, grpc_port: grpc.port, database, tools, stop };
}

/** Runs a service as this process, until a signal stops it; `main.ts` calls it. */
export async function run(contents: Service): Promise<void> {
  try {
    const config = settingsOf(() => serviceConfig(calledServices(contents)));
    const keys = loadKeys(contents.name, config.KEYS_DIR);
    // `main.ts` is in the folder `src` of its service, and `main.js` in `dist`.
    const warnings = await assertMigrated(config, join(process.argv[1]!, '../..'));
    const running = await startService(contents, config, keys);
    for (const warning of warnings) running.tools.log.warn(warning);
    shutDownWith(running.stop, running.tools.log);
    watchEventLoop(contents.name);
    trimMemory();
  } catch (error) {
    process.stderr.write(`${contents.name} cannot start: ${(error as Error).message}\n`);
    process.exit(1);
  }
}
