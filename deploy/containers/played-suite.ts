/** Plays the pods of the suite in the order in which Kubernetes would get them ready, and stops them. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { secretManifests } from '../docker/kubernetes-secrets.ts';
import { RELEASE, render } from '../helm/test/helm-program.ts';
import { GATEWAY_CALLS, processes } from '../local/src/processes.ts';
import type { BaseImages } from './base-images.ts';
import { confinementFaults, kernelView, memoryOf } from './confinement.ts';
import { callAsOwner } from './first-call.ts';
import { type PlayedPod, playedPods } from './pods.ts';
import { ContainerError, type ContainerTools, outputOf } from './podman.ts';
import type { MeasuredContainer } from './results.ts';
import { containerOf, startPod, stateOf, stopPod, waitUntilFinished, waitUntilReady } from './running-pod.ts';

/** Longest time until a pod is ready. A startup probe of the chart allows two minutes. */
const PATIENCE_MS = 120_000;
const OWNER = 'ada@example.com';
const GATEWAY_PORT = 4000;
/** The service with workspaces and users, which the gateway asks about callers. */
const IDENTITY = GATEWAY_CALLS[0] ?? '';

/** Pods of a suite, and where their volumes and network are. */
export interface PlayedSuite {
  tools: ContainerTools;
  directory: string;
  network: string;
  pods: PlayedPod[];
}

const isProcess = ({ container }: PlayedPod): boolean => processes.some(({ name }) => name === container.name);

/**
 * Creates the network, and derives the pods of `values-small.yaml` with Secrets of their own.
 * @param directory a folder for Secrets and volumes
 */
export async function prepareSuite(tools: ContainerTools, images: BaseImages, directory: string): Promise<PlayedSuite> {
  const network = 'suite-containers';
  await outputOf('podman network create', tools.podman(['network', 'create', network]));
  const described = await outputOf('podman network inspect', tools.podman(['network', 'inspect', network]));
  const [, prefix = ''] = /"subnet": "(\d+\.\d+\.\d+\.)\d+\/24"/.exec(described) ?? [];
  const secrets = new Map(
    secretManifests(join(directory, 'keys'), { release: RELEASE, postgres: 'single' }).map(
      ({ metadata, stringData }) => [metadata.name, stringData] as const,
    ),
  );
  const values = {
    image: { registry: 'localhost', pullPolicy: 'Never' },
    nats: { image: images.nats },
    postgres: { image: images.postgres },
  };
  const volumes = join(directory, 'volumes');
  mkdirSync(volumes);
  const objects = render(['values-small.yaml'], JSON.stringify(values));
  // The first address is the bridge.
  const address = (at: number) => `${prefix}${at + 10}`;
  return { tools, network, directory: volumes, pods: playedPods(objects, { directory: volumes, address, secrets }) };
}

/**
 * Starts the servers, creates the databases, and starts all processes at the same time.
 * @param firstCall runs when the gateway and the service with users are ready
 * @returns the seconds until each pod was ready, by its name
 * @throws ContainerError if a pod fails or is not ready in time
 */
export async function startPods(
  { tools, directory, network, pods }: PlayedSuite,
  firstCall: () => Promise<void>,
): Promise<Map<string, number>> {
  const seconds = new Map<string, number>();
  const start = async (pod: PlayedPod, wait: typeof waitUntilReady): Promise<void> => {
    const began = performance.now();
    await startPod(tools, pod, directory, network);
    await wait(tools, pod, PATIENCE_MS);
    seconds.set(pod.name, (performance.now() - began) / 1_000);
  };
  const jobs = pods.filter(({ container }) => container.name === 'databases');
  const servers = pods.filter((pod) => !isProcess(pod) && !jobs.includes(pod));
  await Promise.all(servers.map((pod) => start(pod, waitUntilReady)));
  await Promise.all(jobs.map((pod) => start(pod, waitUntilFinished)));
  const starts = new Map(
    pods.filter(isProcess).map((pod) => [pod.container.name, start(pod, waitUntilReady)] as const),
  );
  const called = Promise.all([starts.get('gateway'), starts.get(IDENTITY)]).then(firstCall);
  await Promise.all([...starts.values(), called]);
  return seconds;
}

/** Creates a workspace, and makes the first call of the README as its owner. @throws ContainerError without its data */
export async function makeFirstCall({ tools, pods }: PlayedSuite): Promise<void> {
  const podOf = (name: string) => pods.find(({ container }) => container.name === name)!;
  const command = ['node', 'dist/workspace.js', 'create', '--name', 'Northwind', '--owner', OWNER];
  const created = await outputOf(
    'The workspace command',
    tools.podman(['exec', containerOf(podOf(IDENTITY)), ...command]),
  );
  const [, token = ''] = /#accept_invitation=([\w-]+)/.exec(created) ?? [];
  await callAsOwner(`http://${podOf('gateway').address}:${GATEWAY_PORT}`, OWNER, token);
}

/** Returns the confinement and memory of each running pod. @throws ContainerError with every missed requirement */
export async function observePods({ tools, pods }: PlayedSuite): Promise<Map<string, { used: number; limit: number }>> {
  const memories = new Map<string, { used: number; limit: number }>();
  const faults: string[] = [];
  for (const pod of pods) {
    const { Running, Pid, CgroupPath } = await stateOf(tools, pod);
    if (!Running) continue;
    const memory = memoryOf(CgroupPath);
    const { securityContext } = pod.manifest.spec as { securityContext: { runAsUser?: number } };
    const required = { user: securityContext.runAsUser, memory: pod.container.resources?.limits?.['memory'] };
    faults.push(...confinementFaults(kernelView(Pid, memory.limit), required).map((fault) => `${pod.name} ${fault}.`));
    memories.set(pod.name, memory);
  }
  if (faults.length > 0) throw new ContainerError(faults.join('\n'));
  return memories;
}

/** Stops all processes at the same time, then the servers. @returns the measurements of each container */
export async function stopPods(
  { tools, pods }: PlayedSuite,
  ready_s: ReadonlyMap<string, number>,
  memories: ReadonlyMap<string, { used: number; limit: number }>,
  sizes: ReadonlyMap<string, number>,
): Promise<MeasuredContainer[]> {
  const measure = async (pod: PlayedPod): Promise<MeasuredContainer> => {
    const { seconds, exit_code } = await stopPod(tools, pod);
    const { used, limit } = memories.get(pod.name) ?? { used: 0, limit: 0 };
    return {
      name: pod.container.name,
      own_bytes: sizes.get(pod.container.name),
      ready_s: ready_s.get(pod.name) ?? 0,
      memory_bytes: used,
      limit_bytes: limit,
      stop_s: seconds,
      exit_code,
      grace_s: pod.grace_s,
      is_process: isProcess(pod),
    };
  };
  const running = pods.filter(({ name }) => memories.has(name));
  const stopped = await Promise.all(running.filter(isProcess).map(measure));
  return [...stopped, ...(await Promise.all(running.filter((pod) => !isProcess(pod)).map(measure)))];
}
