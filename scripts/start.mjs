import { spawn } from 'node:child_process';
import { environment, node, root } from './command.mjs';
import { setUp } from './set-up.mjs';

await setUp();

// In a session of its own: Ctrl-C reaches every process of the terminal's group, so the launcher would hear it twice
// (thrice under npm, which passes it on as well) and take the second one for impatience.
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
