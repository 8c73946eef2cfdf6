import { spawn } from 'node:child_process';
import { environment, node, root } from './command.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments } from './words.mjs';

parseArguments({
  command: 'npm start',
  help: `
Usage: npm start -- [options]

Sets up and starts PostgreSQL, NATS, the gateway and all services, with a demo workspace. Ctrl-C stops everything.

  --reset               delete the data of earlier runs first
  --data <folder>       data folder. Defaults to .data
  --replicas crm=2,...  start more than one process of a service or of the gateway
  --no-demo             start without the demo workspace

Environment: PORT, BACKUP_DIR, DATABASE_URL_<SERVICE> (of all services, or none), NATS_URL, NATS_CREDENTIALS_<PROCESS>,
SMTP_URL, MAIL_FROM, PUBLIC_URL, LOG_LEVEL, RATE_LIMITS, RATE_LIMIT_DATABASE_URL, TRUST_PROXY, CORS_ORIGINS,
CONNECTIONS_PER_ADDRESS`,
  options: {
    reset: { type: 'boolean' },
    data: { type: 'string' },
    replicas: { type: 'string' },
    'no-demo': { type: 'boolean' },
  },
});
await setUp({ development: false, description: true, servers: true });

// Starts the launcher in its own session. Ctrl-C reaches every process of the terminal's group. The launcher would
// receive it twice (three times under npm, which also passes it on) and treat the second one as a forced stop.
const launcher = spawn(node, ['deploy/local/src/main.ts', ...process.argv.slice(2)], {
  cwd: root,
  env: environment(),
  stdio: 'inherit',
  detached: true,
});

const ECHO_MS = 500;
let last = -ECHO_MS;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    const now = performance.now();
    if (now - last >= ECHO_MS) launcher.kill(signal);
    last = now;
  });
}

launcher.on('error', (error) => {
  console.error(`The launcher could not be started: ${error.message}`);
  process.exitCode = 1;
});
launcher.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
