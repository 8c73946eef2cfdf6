/** The gateway as a process: the one door to every service. */
import pino from 'pino';
import { endWith, loadKeys, openLog } from '@suite/chassis/gateway';
import { gatewayConfig } from './config.ts';
import { readRoutes } from './routing.ts';
import { startGateway } from './start.ts';

try {
  const routing = readRoutes(new URL('./routes.json', import.meta.url));
  const config = gatewayConfig(routing.services);
  const log = pino({ name:'gateway', level: config.LOG_LEVEL, base: { process: 'gateway' } }, pino.destination({ sync: false, minLength: 4096 }));
  const keys = loadKeys('gateway', config.KEYS_DIR);
  const document = new URL('../../docs/openapi.json', import.meta.url);
  const running = await startGateway({ config, routing, keys, log, document });
  endWith(running.stop, log);
} catch (error) {
  process.stderr.write(`gateway cannot start: ${(error as Error).message}\n`);
  process.exit(1);
}
