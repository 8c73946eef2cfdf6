import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, createWriteStream, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Exit code of a process, or the signal that ended it. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A child process. Ctrl-C in the terminal does not reach it, and it ends when the launcher ends, for any reason. */
export interface Child {
  pid: number;
  exited: Promise<Exit>;
  isRunning(): boolean;
  /** Sends a message to a process that was started with `onMessage`. */
  send(message: object): void;
  /** Sends a signal, then SIGKILL when the grace period has expired. */
  stop(signal: NodeJS.Signals, grace_ms: number): Promise<void>;
}

/** The program to start. Its output is written to the log file and, line by line, to `onLine` if set. */
export interface ChildOptions {
  command: string;
  args: string[];
  cwd?: string;
  env?: Record<string, string | undefined>;
  account?: { uid: number; gid: number } | null;
  log: string;
  onLine?: (line: string) => void;
  /** Receives the messages of a Node process. Without it, there is no channel for messages. */
  onMessage?: (message: unknown) => void;
  /** The signal that ends this process cleanly if the launcher is killed and cannot do it. */
  endSignal?: 'TERM' | 'INT';
}

/** Log size at which the log is rotated when its process starts. One old log is kept. */
const LOG_BYTES = 20_000_000;

/**
 * Maximum time to read the last output of a process after it has ended, which explains why. A limit is needed because a
 * child of its own may keep the output open for ever.
 */
const LAST_WORDS_MS = 1_000;

/** Starts a process in a group of its own. Rejects if the program cannot be executed. */
export async function startChild(options: ChildOptions): Promise<Child> {
  mkdirSync(dirname(options.log), { recursive: true });
  if (existsSync(options.log) && statSync(options.log).size > LOG_BYTES) renameSync(options.log, `${options.log}.old`);
  const log = openSync(options.log, 'a');
  const output = options.onLine ? 'pipe' : log;
  const child = spawn(options.command, options.args, {
    ...(options.cwd ? { cwd: options.cwd } : {}),
    ...(options.env ? { env: options.env } : {}),
    ...options.account,
    // A separate process group: Ctrl-C reaches only the launcher, which then stops everything in order.
    detached: true,
    stdio: ['ignore', output, output, ...(options.onMessage ? ['ipc' as const] : [])],
  });
  if (!options.onLine) closeSync(log);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  if (options.onMessage) child.on('message', options.onMessage);
  if (options.onLine) readOutput(child, log, options.onLine);
  const release = guard(child.pid as number, options.endSignal ?? 'TERM');
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      release();
      const end = () => resolve({ code, signal });
      const patience = setTimeout(end, LAST_WORDS_MS);
      child.once('close', () => {
        clearTimeout(patience);
        end();
      });
    });
  });
  return handle(child, exited);
}

function handle(child: ChildProcess, exited: Promise<Exit>): Child {
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  let stopping: Promise<void> | undefined;
  return {
    pid: child.pid as number,
    exited,
    isRunning,
    send: (message) => void child.send(message),
    stop(signal, grace_ms) {
      // Sends the signal only once: many programs stop abruptly at a second one.
      stopping ??= stopChild(child, exited, isRunning, signal, grace_ms);
      return stopping;
    },
  };
}

async function stopChild(
  child: ChildProcess,
  exited: Promise<Exit>,
  isRunning: () => boolean,
  signal: NodeJS.Signals,
  grace_ms: number,
): Promise<void> {
  if (!isRunning()) return;
  child.kill(signal);
  const insist = setTimeout(() => child.kill('SIGKILL'), grace_ms);
  await exited;
  clearTimeout(insist);
}

/**
 * Starts a small shell that outlives a killed launcher just long enough to end the process. The shell waits on a pipe.
 * If the pipe ends without a word, no launcher remains to stop the process in order.
 */
function guard(pid: number, signal: 'TERM' | 'INT'): () => void {
  const script = [
    'read -r word && exit 0',
    'kill -s "$2" "$1" 2>/dev/null',
    'tries=0; while kill -0 "$1" 2>/dev/null && [ $tries -lt 20 ]; do sleep 1; tries=$((tries + 1)); done',
    'kill -9 "$1" 2>/dev/null',
  ].join('\n');
  const shell = spawn('/bin/sh', ['-c', script, 'suite-guard', String(pid), signal], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref();
  return () => shell.stdin.end('done\n');
}

function readOutput(child: ChildProcess, log: number, onLine: (line: string) => void): void {
  const file = createWriteStream('', { fd: log });
  file.on('error', () => {});
  child.once('close', () => file.end());
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8');
    stream?.on('data', (chunk: string) => {
      file.write(chunk);
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    });
    stream?.on('end', () => {
      if (rest) onLine(rest);
    });
  }
}
