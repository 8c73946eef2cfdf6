import { spawnSync } from 'node:child_process';
import { machineConfig } from '../config.ts';
import { LaunchError, sentence } from '../launch-error.ts';
import { provideNatsServer } from './nats-server.mjs';

type Version = [major: number, minor: number];
/** The versions of known programs, cached because tests start hundreds of servers. */
const versions = new Map<string, Version>();

/**
 * Returns the nats-server program and its version. Installs the program with the system's package manager if it is missing.
 * @throws LaunchError if it is missing and cannot be installed
 */
export function natsProgram(say: (line: string) => void = () => {}): { command: string; version: Version } {
  const command = provide(say);
  const version = versions.get(command) ?? versionOf(command);
  versions.set(command, version);
  return { command, version };
}

function provide(say: (line: string) => void): string {
  const { nats_server, path } = machineConfig();
  try {
    return provideNatsServer({ NATS_SERVER: nats_server, PATH: path }, say);
  } catch (error) {
    throw new LaunchError(sentence(error));
  }
}

function versionOf(command: string): Version {
  const asked = spawnSync(command, ['--version'], { encoding: 'utf8' });
  const version = /v(\d+)\.(\d+)/.exec(`${asked.stdout}${asked.stderr}`);
  if (!version) throw new LaunchError(`${command} is not a nats-server that runs on this machine.`);
  return [Number(version[1]), Number(version[2])];
}
