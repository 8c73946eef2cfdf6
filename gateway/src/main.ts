/** Process of the gateway, the only entry point to all services. */
import {
  shutDownWith,
  loadKeys,
  openLog,
  setPublicAddress,
  settingsOf,
  trimMemory,
  watchEventLoop,
} from '@suite/chassis/gateway';
import { gatewayConfig } from './config.ts';
import { readRoutes } from './request/routing.ts';
import { startGateway } from './start.ts';

try {
  const routing = readRoutes(new URL('./routes.json', import.meta.url));
  const config = settingsOf(() => gatewayConfig(routing.services));
  const log = openLog('gateway', config.LOG_LEVEL);
  if (config.PUBLIC_URL) setPublicAddress(config.PUBLIC_URL);
  const keys = loadKeys('gateway', config.KEYS_DIR);
  const files = {
    document: new URL('../../docs/openapi.json', import.meta.url),
    errors: new URL('../../docs/errors.html', import.meta.url),
    guides: new URL('../../docs/guides/', import.meta.url),
  };
  const running = await startGateway({ config, routing, keys, log, files });
  shutDownWith(running.stop, log);
  watchEventLoop('gateway');
  trimMemory();
} catch (error) {
  process.stderr.write(`gateway cannot start: ${(error as Error).message}\n`);
  process.exit(1);
}
