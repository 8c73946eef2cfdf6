/**
 * Finds or installs the nats-server program. Plain JavaScript, because `npm start` looks for it with the host's Node before it
 * installs anything else.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const FIX = `Install it (Debian and Ubuntu: apt-get install nats-server, macOS: brew install nats-server), set NATS_SERVER to the program,
or set NATS_URL to the address of a running server.`;

/** Maximum wait of an installation for another one, in seconds. */
const LOCK_S = 120;

/**
 * Options for machines without a network. By default, apt-get repeats each download three times and waits 30 s for each
 * server, and an update without any download counts as a success.
 */
const IMPATIENT = [
  'Acquire::Retries=0',
  'Acquire::http::Timeout=10',
  'Acquire::https::Timeout=10',
  'APT::Update::Error-Mode=any',
].flatMap((option) => ['-o', option]);

/**
 * Returns the path of nats-server. Installs it with the system's package manager if it is missing.
 * @throws Error with a sentence for the user if it is missing and cannot be installed
 */
export function provideNatsServer(environment, say) {
  return find(environment) ?? install(environment, say);
}

function find({ NATS_SERVER: named, PATH: path = '' }) {
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`NATS_SERVER is not an executable program: ${named}. Correct or remove it.`);
  }
  // Debian puts it into a folder that only root's PATH contains.
  const folders = [...path.split(delimiter), '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
  const programs = folders.filter(Boolean).map((folder) => join(folder, 'nats-server'));
  return programs.find(isExecutable) ?? null;
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function install(environment, say) {
  say('nats-server is missing; installing it with the package manager');
  const reason = process.platform === 'darwin' ? installWithBrew() : installWithApt();
  const found = find(environment);
  if (found) return found;
  throw new Error(`nats-server is missing${reason ? ` and could not be installed: ${reason}` : ''}.\n${FIX}`);
}

function installWithBrew() {
  return run('brew', ['install', 'nats-server']);
}

/** Returns the reason why it could not be installed, or null. */
function installWithApt() {
  if (!existsSync('/usr/bin/apt-get')) return 'this machine has no apt-get';
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];
  if (sudo.length > 0 && run('sudo', ['--non-interactive', 'true']))
    return 'the installation needs root, or sudo without a password';
  return withoutService(sudo, () => {
    // Several tests may install it concurrently: all but the first wait.
    const waiting = ['-o', `DPkg::Lock::Timeout=${LOCK_S}`];
    const quiet = ['-q', '-y', '--no-install-recommends'];
    const apt = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...waiting, ...IMPATIENT, ...quiet];
    const wanted = ['install', 'nats-server'];
    if (!runAll([...apt, ...wanted])) return null;
    if (runAll([...apt, 'update'])) return 'apt-get cannot download its package lists (is this machine offline?)';
    return runAll([...apt, ...wanted]);
  });
}

/**
 * Runs an installation without starting services. Debian starts and enables what it installs, but only the program is
 * needed. Otherwise an unwanted service would keep running on port 4222, open to the network.
 */
function withoutService(sudo, work) {
  const policy = '/usr/sbin/policy-rc.d';
  const isOurs = sudo.length === 0 && !existsSync(policy);
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    const reason = work();
    if (reason) return reason;
    if (existsSync('/run/systemd/system')) runAll([...sudo, 'systemctl', 'disable', '--now', 'nats-server.service']);
    return null;
  } finally {
    if (isOurs) rmSync(policy, { force: true });
  }
}

function runAll(words) {
  const [command = '', ...args] = words;
  return run(command, args);
}

function run(command, args) {
  const ran = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 180_000 });
  if (ran.status === 0) return null;
  return (
    (ran.stderr || ran.error?.message || `${command} ended with ${ran.status}`).trim().split('\n').at(-1) ?? command
  );
}
