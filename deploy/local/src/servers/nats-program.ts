import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { machineConfig } from '../config.ts';
import { LaunchError } from '../launch-error.ts';

const MISSING =
  'NATS is needed and nats-server was not found: install it (Debian, Ubuntu: apt-get install nats-server; macOS: brew install nats-server), ' +
  'name it in NATS_SERVER, or name a running server in NATS_URL.';

/** How long an installation waits for another one. */
const LOCK_S = 120;

type Version = [major: number, minor: number];
/** The versions of programs that were asked already: tests start hundreds of servers. */
const versions = new Map<string, Version>();

/** The nats-server program and its version; installs it with the system's package manager when it is missing. */
export function natsProgram(say: (line: string) => void = () => {}): { command: string; version: Version } {
  const command = find() ?? install(say);
  const version = versions.get(command) ?? versionOf(command);
  versions.set(command, version);
  return { command, version };
}

function versionOf(command: string): Version {
  const asked = spawnSync(command, ['--version'], { encoding: 'utf8' });
  const version = /v(\d+)\.(\d+)/.exec(`${asked.stdout}${asked.stderr}`);
  if (!version) throw new LaunchError(`${command} is not a nats-server that runs on this machine.`);
  return [Number(version[1]), Number(version[2])];
}

function find(): string | null {
  const { nats_server, path } = machineConfig();
  if (nats_server) {
    if (isExecutable(nats_server)) return nats_server;
    throw new LaunchError(`NATS_SERVER names ${nats_server}, which is not a program that can be run.`);
  }
  // Debian puts it where only root's PATH looks.
  const folders = [...path.split(delimiter), '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
  return (
    folders
      .filter(Boolean)
      .map((folder) => join(folder, 'nats-server'))
      .find(isExecutable) ?? null
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function install(say: (line: string) => void): string {
  say('nats-server is missing, installing it with the package manager');
  const reason = process.platform === 'darwin' ? installWithBrew() : installWithApt();
  const found = find();
  if (found) return found;
  throw new LaunchError(reason ? `${MISSING} (Installing it was tried: ${reason})` : MISSING);
}

function installWithBrew(): string | null {
  return run('brew', ['install', 'nats-server']);
}

/** Returns why it could not be installed, or null. */
function installWithApt(): string | null {
  if (!existsSync('/usr/bin/apt-get')) return 'there is no apt-get on this machine';
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];
  if (sudo.length > 0 && run('sudo', ['--non-interactive', 'true'])) return 'it needs root or sudo without a password';
  return withoutService(sudo, () => {
    // Several tests may install it at once: all but the first wait.
    const waiting = ['-o', `DPkg::Lock::Timeout=${LOCK_S}`];
    const quiet = ['-q', '-y', '--no-install-recommends'];
    const apt = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...waiting, ...quiet];
    const wanted = ['install', 'nats-server'];
    if (!runAll([...apt, ...wanted])) return null;
    return runAll([...apt, 'update']) ?? runAll([...apt, ...wanted]);
  });
}

/**
 * Debian starts and enables what it installs. We want the program only: on port 4222, open to the network, a service
 * that nobody asked for would be left running.
 */
function withoutService(sudo: string[], work: () => string | null): string | null {
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

function runAll(words: string[]): string | null {
  const [command = '', ...args] = words;
  return run(command, args);
}

function run(command: string, args: string[]): string | null {
  const ran = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 180_000 });
  if (ran.status === 0) return null;
  return (
    (ran.stderr || ran.error?.message || `${command} ended with ${ran.status}`).trim().split('\n').at(-1) ?? command
  );
}
