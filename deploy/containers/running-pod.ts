/** Starts, observes and stops one pod under podman. */
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { V1Probe } from '@kubernetes/client-node';
import { stringify } from 'yaml';
import type { MountedFolder, PlayedPod } from './pods.ts';
import { ContainerError, type ContainerTools, outputOf } from './podman.ts';

const PROBE_MS = 3_000;
const BETWEEN_PROBES_MS = 250;

/** The name that podman gives to the container of a pod. */
export const containerOf = ({ name, container }: PlayedPod): string => `${name}-${container.name}`;

function writeFolder(place: string, { path, mode, group, files }: MountedFolder): void {
  const folder = join(place, path);
  mkdirSync(folder, { recursive: true });
  for (const [name, { text, mode: fileMode }] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    writeFileSync(file, text, { mode: fileMode });
    chownSync(file, 0, group);
  }
  chownSync(folder, 0, group);
  // `mkdir` applies the mask of the process to its mode.
  chmodSync(folder, mode);
}

/**
 * Writes the volumes of a pod and starts it. Returns when its init containers have finished.
 * @param directory the folder of all volumes
 * @throws ContainerError if an init container fails
 */
export async function startPod(
  { podman }: ContainerTools,
  pod: PlayedPod,
  directory: string,
  network: string,
): Promise<void> {
  const place = join(directory, pod.name);
  for (const folder of pod.folders) writeFolder(place, folder);
  const file = join(directory, `${pod.name}.yaml`);
  writeFileSync(file, stringify(pod.manifest), { mode: 0o600 });
  await outputOf(`The start of ${pod.name}`, podman(['kube', 'play', '--network', network, '--ip', pod.address, file]));
}

/** Returns whether a probe of the chart succeeds. */
async function succeeds({ podman }: ContainerTools, pod: PlayedPod, probe: V1Probe | undefined): Promise<boolean> {
  if (probe?.exec) return (await podman(['exec', containerOf(pod), ...(probe.exec.command ?? [])])).code === 0;
  if (!probe?.httpGet) throw new ContainerError(`${pod.name} has no probe that this program can ask.`);
  const { path = '/', port: name } = probe.httpGet;
  const port = pod.container.ports?.find((one) => one.name === name)?.containerPort ?? name;
  try {
    const signal = AbortSignal.timeout(PROBE_MS);
    return (await fetch(`http://${pod.address}:${port}${path}`, { signal })).ok;
  } catch {
    return false;
  }
}

/** The state of a container, as podman reports it. */
interface ContainerState {
  Running: boolean;
  Pid: number;
  ExitCode: number;
  CgroupPath: string;
}

/** Returns the state of the container of a pod. */
export async function stateOf({ podman }: ContainerTools, pod: PlayedPod): Promise<ContainerState> {
  const words = ['inspect', '--type', 'container', '--format', '{{json .State}}', containerOf(pod)];
  return JSON.parse(await outputOf('podman inspect', podman(words))) as ContainerState;
}

/** Returns the end of the log of a pod. */
async function logOf({ podman }: ContainerTools, pod: PlayedPod): Promise<string> {
  const { stdout, stderr } = await podman(['logs', '--tail', '20', containerOf(pod)]);
  return `${stdout}${stderr}`.trim();
}

/**
 * Waits until a pod is ready by its readiness probe.
 * @throws ContainerError with the end of its log if it ends, or is not ready in time
 */
export async function waitUntilReady(tools: ContainerTools, pod: PlayedPod, patience_ms: number): Promise<void> {
  const began = performance.now();
  while (!(await succeeds(tools, pod, pod.container.readinessProbe))) {
    const isLate = performance.now() - began > patience_ms;
    if (isLate || !(await stateOf(tools, pod)).Running)
      throw new ContainerError(`${pod.name} ${isLate ? 'is not ready' : 'has ended'}:\n${await logOf(tools, pod)}`);
    await pause(BETWEEN_PROBES_MS);
  }
}

/** Waits until the container of a Job has finished. @throws ContainerError with the end of its log if it failed */
export async function waitUntilFinished(tools: ContainerTools, pod: PlayedPod): Promise<void> {
  const code = await outputOf('podman wait', tools.podman(['wait', containerOf(pod)]));
  if (code !== '0') throw new ContainerError(`${pod.name} failed:\n${await logOf(tools, pod)}`);
}

/** How a pod stopped. */
export interface StoppedPod {
  seconds: number;
  exit_code: number;
}

/** Stops the container of a pod: its hook, then its stop signal, and SIGKILL after the grace period of the pod. */
export async function stopPod(tools: ContainerTools, pod: PlayedPod): Promise<StoppedPod> {
  const began = performance.now();
  const hook = pod.container.lifecycle?.preStop?.exec?.command;
  if (hook) await tools.podman(['exec', containerOf(pod), ...hook]);
  await outputOf('podman stop', tools.podman(['stop', '--time', String(pod.grace_s), containerOf(pod)]));
  const { ExitCode } = await stateOf(tools, pod);
  return { seconds: (performance.now() - began) / 1_000, exit_code: ExitCode };
}
