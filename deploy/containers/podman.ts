/** Runs podman and buildah with a storage, networks and a configuration of their own. */
import { type ChildProcess, execFile, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inheritedEnvironment } from './config.ts';

/** The result of a program. */
export interface ToolRun {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program. @param timeout_ms time after which it is ended; 15 minutes by default */
export type Tool = (words: readonly string[], timeout_ms?: number) => Promise<ToolRun>;

/** Programs that work on one storage. */
export interface ContainerTools {
  podman: Tool;
  buildah: Tool;
  /** Runs another program. */
  run: (program: string, words: readonly string[], timeout_ms?: number) => Promise<ToolRun>;
  /** Ends running programs, and removes all containers of the storage and the folder of the programs. */
  end: () => Promise<void>;
}

/** A condition of the machine, or a failed program. The message is for the operator. */
export class ContainerError extends Error {}

const LONGEST_MS = 15 * 60_000;
const PROGRAMS = ['podman', 'buildah', 'runc'] as const;
/** The image of Node.js, as the Dockerfile names it. */
export const NODE_IMAGE = 'docker.io/library/node:24-slim';
/** The image of the container that owns the network of a pod. */
export const PAUSE_IMAGE = 'localhost/suite-pause';

/** Returns the sentence about what the machine lacks, or undefined. */
export function lackOf(
  machine: { platform: string; uid: number | undefined },
  has: (program: string) => boolean,
): string | undefined {
  const missing = PROGRAMS.filter((program) => !has(program));
  if (machine.platform !== 'linux') return 'Containers only run on Linux: run this command on a Linux machine.';
  if (missing.length > 0)
    return `This machine lacks ${missing.join(' and ')}: run \`apt-get install podman buildah runc netavark debootstrap\`.`;
  if (machine.uid !== 0) return 'Only root may limit the memory of containers: run this command as root.';
  return undefined;
}

/** Whether a program is installed. */
export const isInstalled = (program: string): boolean => !spawnSync(program, ['--version']).error;

/** @throws ContainerError with one sentence if the machine lacks something */
export function assertMachine(): void {
  const sentence = lackOf({ platform: process.platform, uid: process.getuid?.() }, isInstalled);
  if (sentence) throw new ContainerError(sentence);
}

/** cgroupfs and the file logger need no systemd. Debian's limit of open files cannot be raised without a capability. */
const containersConfig = (directory: string): string => `[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
lock_type = "file"
tmp_dir = "${directory}/run/tmp"
infra_image = "${PAUSE_IMAGE}"
[containers]
log_driver = "k8s-file"
default_ulimits = ["nofile=20000:20000", "nproc=4096:4096"]
[network]
network_backend = "netavark"
network_config_dir = "${directory}/networks"
`;

const storageConfig = (storage: string, directory: string): string => `[storage]
driver = "overlay"
graphroot = "${storage}"
runroot = "${directory}/run"
`;

/**
 * Returns the programs.
 * @param directory an existing folder for networks, locks and logs
 * @param storage the folder of the images
 */
export function containerTools(directory: string, storage: string): ContainerTools {
  const files = { CONTAINERS_CONF: 'containers.conf', CONTAINERS_STORAGE_CONF: 'storage.conf' };
  for (const folder of ['run/tmp', 'networks']) mkdirSync(join(directory, folder), { recursive: true });
  mkdirSync(storage, { recursive: true });
  writeFileSync(join(directory, files.CONTAINERS_CONF), containersConfig(directory));
  writeFileSync(join(directory, files.CONTAINERS_STORAGE_CONF), storageConfig(storage, directory));
  const own = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(directory, file)]));
  const children = new Set<ChildProcess>();
  let isOver = false;
  const execute: ContainerTools['run'] = (program, words, timeout_ms = LONGEST_MS) =>
    new Promise((resolve) => {
      const options = { env: { ...inheritedEnvironment(), ...own }, timeout: timeout_ms, maxBuffer: 64 * 2 ** 20 };
      const child = execFile(program, words, options, (error, stdout, stderr) => {
        children.delete(child);
        const code = typeof error?.code === 'number' ? error.code : Number(error !== null);
        resolve({ code, stdout, stderr: stderr || (error?.message ?? '') });
      });
      children.add(child);
    });
  // After an interruption, the steps that still run must not create what `end` removes.
  const run: ContainerTools['run'] = (...words) =>
    isOver ? Promise.resolve({ code: 1, stdout: '', stderr: 'Interrupted.' }) : execute(...words);
  const end = async (): Promise<void> => {
    isOver = true;
    for (const child of children) child.kill();
    await execute('podman', ['pod', 'rm', '--all', '--force', '--time', '0']);
    await execute('podman', ['rm', '--all', '--force', '--time', '0']);
    await execute('buildah', ['rm', '--all']);
    await execute('podman', ['network', 'prune', '--force']);
    // The storage driver mounts its folder onto itself.
    await execute('umount', ['--recursive', join(storage, 'overlay')]);
    rmSync(directory, { recursive: true, force: true });
  };
  return {
    run,
    end,
    podman: (words, timeout_ms) => run('podman', words, timeout_ms),
    buildah: (words, timeout_ms) => run('buildah', words, timeout_ms),
  };
}

/** Returns the output of a run without the last line break. @throws ContainerError with the end of its messages */
export async function outputOf(title: string, running: Promise<ToolRun>): Promise<string> {
  const { code, stdout, stderr } = await running;
  if (code !== 0) throw new ContainerError(`${title} failed:\n${`${stdout}${stderr}`.trim().slice(-3_000)}`);
  return stdout.trimEnd();
}
