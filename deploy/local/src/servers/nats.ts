import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Child, type Exit, startChild } from '../supervision/child.ts';
import { LaunchError } from '../launch-error.ts';
import { reasonIn } from './log-tail.ts';
import { natsProgram } from './nats-program.ts';

/** A running NATS with JetStream. */
export interface NatsServer {
  url: string;
  pid: number;
  exited: Promise<Exit>;
  stop(): Promise<void>;
}

/** Location and port of NATS. */
export interface NatsOptions {
  /** Folder for the streams and, unless `log` is set, the log. */
  directory: string;
  /** Port that NATS listens on. 0 chooses a free one. */
  port: number;
  log?: string;
  /** The users and their permissions (natsUsers). Without it, every client has all permissions, for tests. */
  users?: string;
  /** Receives a message if nats-server has to be installed first. */
  say?: (line: string) => void;
}

const START_PATIENCE_MS = 30_000;

/** Starts NATS on a directory. Existing streams in the directory are restored. */
export async function startNats(options: NatsOptions): Promise<NatsServer> {
  const { command, version } = natsProgram(options.say);
  const directory = resolve(options.directory);
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'nats.conf');
  const name = `suite-${createHash('sha256').update(directory).digest('hex').slice(0, 12)}`;
  writeFileSync(file, configuration(directory, name, options, version), { mode: 0o600 });
  chmodSync(file, 0o600);
  const log = options.log ?? join(directory, 'nats.log');
  const child = await startChild({ command, args: ['--config', file], cwd: directory, log });
  const portsFile = join(directory, `${basename(command)}_${child.pid}.ports`);
  const port = await untilReady(child, name, () => options.port || portIn(portsFile), log);
  return {
    url: `nats://127.0.0.1:${port}`,
    pid: child.pid,
    exited: child.exited,
    stop: () => child.stop('SIGTERM', 10_000),
  };
}

function configuration(
  directory: string,
  name: string,
  { port, users = '' }: NatsOptions,
  [major, minor]: [number, number],
): string {
  // Writes each message to disk before it is acknowledged. Servers before 2.10 do not support the setting.
  const isSyncKnown = major > 2 || (major === 2 && minor >= 10);
  return [
    `listen: "127.0.0.1:${port || -1}"`,
    ...(port ? [] : [`ports_file_dir: ${JSON.stringify(directory)}`]),
    `server_name: "${name}"`,
    'jetstream {',
    `  store_dir: ${JSON.stringify(directory)}`,
    ...(isSyncKnown ? ['  sync_interval: always'] : []),
    '}',
    users,
  ].join('\n');
}

/** Reads the port that NATS has chosen. Undefined until NATS listens there. */
function portIn(file: string): number | undefined {
  const [, port] = (existsSync(file) && /:(\d+)"/.exec(readFileSync(file, 'utf8'))) || [];
  return port === undefined ? undefined : Number(port);
}

/** Waits until NATS answers. @returns its port */
async function untilReady(child: Child, name: string, portNow: () => number | undefined, log: string): Promise<number> {
  const started = performance.now();
  while (child.isRunning()) {
    const port = portNow();
    const greeting = port ? await firstLine(port) : '';
    // Another server on this port also sends a greeting. In that case our server is about to report that the port is
    // taken.
    if (child.isRunning() && greeting.includes(`"server_name":"${name}"`) && greeting.includes('"jetstream":true'))
      return port!;
    if (performance.now() - started > START_PATIENCE_MS) {
      await child.stop('SIGTERM', 5000);
      throw new LaunchError(`NATS did not answer within ${START_PATIENCE_MS / 1000} s: ${reasonIn(log)}`);
    }
    await pause(50);
  }
  throw new LaunchError(`NATS did not start on port ${portNow() ?? 'of its choice'}: ${reasonIn(log)}`);
}

/** Reads the greeting of a NATS server. An empty result means that no server listens yet. */
function firstLine(port: number): Promise<string> {
  return new Promise((answer) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1000 });
    let text = '';
    const done = () => {
      socket.destroy();
      answer(text);
    };
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) done();
    });
    socket.on('error', done);
    socket.on('timeout', done);
    socket.on('close', done);
  });
}
