import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { randomUUID } from 'node:crypto';
import { afterAll } from '@jest/globals';
import { type Bus, connectBus, openLog } from '@suite/chassis/gateway';
import { type NatsServer, startNats } from '@suite/local/servers';
import { gatewayConfig } from '../src/config.ts';
import type { Deadlines } from '../src/upstream/deadlines.ts';
import { readRoutes } from '../src/request/routing.ts';
import { type RunningGateway, startGateway } from '../src/start.ts';
import { keysOf } from './keys.ts';
import { type SignedInUser, signedInUser } from './signed-in-user.ts';
import { type FakePlatform, fakePlatform, type FakeService, fakeService } from './fake-services.ts';

/** Gateway with fake services, a fake platform and a real NATS. */
export interface GatewayFixture {
  gateway: RunningGateway;
  /** Starts another gateway with the same services. */
  startAnother(environment?: Record<string, string>, deadlines?: Deadlines): Promise<RunningGateway>;
  introspection: FakePlatform;
  platform: FakeService;
  crm: FakeService;
  /** Creates a user that platform knows. */
  signIn(workspace_id?: string): SignedInUser;
  /** Publishes an event as platform does. A string is published unchanged. */
  publish(type: string, about: { workspace_id: string; data: object } | string): Promise<void>;
  /** Signals a change in a workspace, as services do. */
  signal(workspace_id: string): void;
  nats: NatsServer;
}

export interface FixtureOptions {
  environment?: Record<string, string>;
  deadlines?: Deadlines;
  counting_ms?: number;
  document?: string;
}

const routing = readRoutes(new URL('../src/routes.json', import.meta.url));
const errors = new URL('../../docs/errors.html', import.meta.url);
const guides = new URL('../../docs/guides/', import.meta.url);
const FREE_PORTS = { PORT: '0', OPERATIONS_PORT: '0' };
/** High values, so that no test reaches a limit by accident. */
const NAMES = [
  'token',
  'workspace',
  'login',
  'link',
  'plans',
  'badge',
  'widget',
  'reports',
  'public',
  'instance',
  'unsigned',
  'anonymous',
];
const UNLIMITED = JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, 1e6])));

/** Starts all parts, and stops them after the test file. */
export async function gatewayFixture(options: FixtureOptions = {}): Promise<GatewayFixture> {
  const directory = mkdtempSync(join(process.env['SUITE_TEST_DIR'] ?? tmpdir(), 'gateway-'));
  const endings: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of endings.toReversed()) await end();
  });
  const nats = await startNats({ directory: join(directory, 'nats'), port: 0 });
  endings.push(() => nats.stop());
  const introspection = await fakePlatform();
  const [platform, crm] = [await fakeService('platform'), await fakeService('crm')];
  endings.push(() => introspection.stop(), platform.stop, crm.stop);
  const bus = await openBus(nats.url);
  endings.push(() => bus.drain());

  const startAnother = async (environment: Record<string, string> = {}, deadlines = options.deadlines) => {
    const config = gatewayConfig(routing.services, {
      ...FREE_PORTS,
      NATS_URL: nats.url,
      KEYS_DIR: directory,
      LOG_LEVEL: process.env['SUITE_TEST_LOG'] ?? 'silent',
      SHUTDOWN_GRACE_MS: '0',
      // The other services share crm's fake.
      ...Object.fromEntries(routing.services.map((name) => [`UPSTREAM_${name.toUpperCase()}`, crm.url])),
      UPSTREAM_PLATFORM: platform.url,
      RPC_PLATFORM: introspection.address,
      RATE_LIMITS: UNLIMITED,
      ...options.environment,
      ...environment,
    });
    const running = await startGateway({
      config,
      routing,
      keys: keysOf('gateway'),
      log: openLog('gateway', config.LOG_LEVEL),
      files: { document: options.document ?? join(directory, 'none.json'), errors, guides },
      ...(deadlines && { deadlines }),
      ...(options.counting_ms && { counting_ms: options.counting_ms }),
    });
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= running.stop());
    endings.push(stop);
    return { ...running, stop };
  };

  return {
    gateway: await startAnother(),
    startAnother,
    introspection,
    platform,
    crm,
    nats,
    signIn(workspace_id) {
      const user = signedInUser(workspace_id);
      introspection.users.add(user);
      return user;
    },
    signal: (workspace_id) => bus.signal('changes', workspace_id),
    publish: (type, about) => bus.publish(type, payloadOf(type, about), { id: randomUUID() }),
  };
}

function payloadOf(type: string, about: object | string): string {
  return typeof about === 'string' ? about : JSON.stringify({ type, ...about });
}

/** Connects to NATS as platform does. */
async function openBus(url: string): Promise<Bus> {
  const bus = connectBus({ url, name: 'platform', log: openLog('platform', 'silent') });
  await new Promise<void>((resolve) => {
    bus.onConnect(resolve);
    if (bus.connected()) resolve();
  });
  return bus;
}
