import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { randomUUID } from 'node:crypto';
import { afterAll } from '@jest/globals';
import { connectBus, openLog } from '@suite/chassis/gateway';
import { type NatsServer, startNats } from '@suite/local/servers';
import { gatewayConfig } from '../src/config.ts';
import type { Deadlines } from '../src/upstream/upstream.ts';
import { readRoutes } from '../src/request/routing.ts';
import { type RunningGateway, startGateway } from '../src/start.ts';
import { freePort } from './free-port.ts';
import { keysOf } from './keys.ts';
import { type Person, somebody } from './signed-in-user.ts';
import { type PlatformStandIn, platformStandIn, type StandIn, standIn } from './fake-services.ts';

/** A gateway with everything around it. */
export interface Stage {
  gateway: RunningGateway;
  /** Starts one more gateway before the same services. */
  another(environment?: Record<string, string>, deadlines?: Deadlines): Promise<RunningGateway>;
  introspection: PlatformStandIn;
  platform: StandIn;
  crm: StandIn;
  /** Somebody whom platform knows. */
  signIn(workspace_id?: string): Person;
  /** Announces what happened, as platform does; a string is said as it is. */
  announce(type: string, about: { workspace_id: string; data: object } | string): Promise<void>;
  nats: NatsServer;
}

export interface StageOptions {
  environment?: Record<string, string>;
  deadlines?: Deadlines;
  counting_ms?: number;
  document?: string;
}

const routing = readRoutes(new URL('../src/routes.json', import.meta.url));
const errors = new URL('../../docs/errors.html', import.meta.url);
const FREE_PORTS = { PORT: '0', OPERATIONS_PORT: '0' };
/** So much that no test meets a limit by accident. */
const UNLIMITED = JSON.stringify({ token: 1e6, workspace: 1e6, login: 1e6, public: 1e6, anonymous: 1e6 });

/** Sets the stage; it is cleared after the test file. */
export async function stage(options: StageOptions = {}): Promise<Stage> {
  const directory = mkdtempSync(join(process.env['SUITE_TEST_DIR'] ?? tmpdir(), 'gateway-'));
  const endings: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of endings.toReversed()) await end();
  });
  const nats = await startNats({ directory: join(directory, 'nats'), port: await freePort() });
  endings.push(() => nats.stop());
  const introspection = await platformStandIn();
  const [platform, crm] = [await standIn('platform'), await standIn('crm')];
  endings.push(() => introspection.stop(), platform.stop, crm.stop);
  const bus = connectBus({ url: nats.url, name: 'platform', log: openLog('platform', 'silent') });
  endings.push(() => bus.drain());
  await connected(bus);

  const another = async (environment: Record<string, string> = {}, deadlines = options.deadlines) => {
    const config = gatewayConfig(routing.services, {
      ...FREE_PORTS,
      NATS_URL: nats.url,
      KEYS_DIR: directory,
      LOG_LEVEL: process.env['SUITE_TEST_LOG'] ?? 'silent',
      SHUTDOWN_GRACE_MS: '0',
      // Whoever has no part of their own answers as crm does.
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
      document: options.document ?? join(directory, 'none.json'),
      errors,
      ...(deadlines && { deadlines }),
      ...(options.counting_ms && { counting_ms: options.counting_ms }),
    });
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= running.stop());
    endings.push(stop);
    return { ...running, stop };
  };

  return {
    gateway: await another(),
    ...{ another, introspection, platform, crm, nats },
    signIn(workspace_id) {
      const person = somebody(workspace_id);
      introspection.people.add(person);
      return person;
    },
    announce: (type, about) => bus.publish(type, payloadOf(type, about), { id: randomUUID() }),
  };
}

function payloadOf(type: string, about: object | string): string {
  return typeof about === 'string' ? about : JSON.stringify({ type, ...about });
}

function connected(bus: { connected(): boolean; onConnect(listener: () => void): void }): Promise<void> {
  return new Promise((resolve) => {
    bus.onConnect(resolve);
    if (bus.connected()) resolve();
  });
}
