/** Rules that every pod follows: restricted pod security, resources, probes and time to stop. */
import type { V1Container, V1PodSpec } from '@kubernetes/client-node';
import { containersOf, type Manifest, podsOf, titleOf } from './manifest.ts';

/** Longest time in which a process stops, without SHUTDOWN_GRACE_MS: requests, schedules, relay and connections. */
const STOP_S = 40;
const DEFAULT_GRACE_MS = 5_000;

/** Returns the requirements of a pod that are not met. */
function podFaults(spec: V1PodSpec): string[] {
  const { securityContext: security } = spec;
  const requirements = {
    'needs runAsNonRoot: true': security?.runAsNonRoot === true && security.runAsUser !== 0,
    'needs the seccomp profile RuntimeDefault': security?.seccompProfile?.type === 'RuntimeDefault',
    'needs automountServiceAccountToken: false': spec.automountServiceAccountToken === false,
    'needs enableServiceLinks: false': spec.enableServiceLinks === false,
    'must not use the host': !spec.hostNetwork && !spec.hostPID && !spec.hostIPC,
    'must not mount paths of the host': (spec.volumes ?? []).every(({ hostPath }) => !hostPath),
  };
  return unmet(requirements);
}

/** Returns the requirements of a container that are not met. */
function containerFaults({ securityContext: security, resources, ports = [] }: V1Container): string[] {
  const { drop = [], add = [] } = security?.capabilities ?? {};
  const { requests = {}, limits = {} } = resources ?? {};
  const requirements = {
    'needs allowPrivilegeEscalation: false': security?.allowPrivilegeEscalation === false,
    'needs readOnlyRootFilesystem: true': security?.readOnlyRootFilesystem === true,
    'must drop ALL capabilities': drop.includes('ALL') && add.length === 0,
    'must not be privileged': !security?.privileged && security?.runAsUser !== 0,
    'needs requests and limits of cpu and memory': [requests, limits].every((one) => one['cpu'] && one['memory']),
    'must not use ports of the host': ports.every(({ hostPort }) => !hostPort),
  };
  return unmet(requirements);
}

/** Returns the requirements of a container that runs until it is stopped. */
function serverFaults(container: V1Container, grace_s: number | undefined): string[] {
  const grace_ms = container.env?.find(({ name }) => name === 'SHUTDOWN_GRACE_MS')?.value ?? DEFAULT_GRACE_MS;
  const isProcess = container.ports?.some(({ name }) => name === 'operations') ?? false;
  const requirements = {
    'needs a startup probe': container.startupProbe !== undefined,
    'needs a readiness probe': container.readinessProbe !== undefined,
    'needs /health/live as liveness probe': !isProcess || container.livenessProbe?.httpGet?.path === '/health/live',
    'needs /health/ready as readiness probe': !isProcess || container.readinessProbe?.httpGet?.path === '/health/ready',
    'needs more time to stop': (grace_s ?? 30) >= (isProcess ? STOP_S + Number(grace_ms) / 1000 : STOP_S),
  };
  return unmet(requirements);
}

const unmet = (requirements: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(requirements).flatMap(([requirement, isMet]) => (isMet ? [] : [requirement]));

/** Returns the violations of all pods. */
export function securityFaults(objects: readonly Manifest[]): string[] {
  return podsOf(objects).flatMap(({ owner, spec }) => [
    ...podFaults(spec).map((fault) => `${titleOf(owner)} ${fault}.`),
    ...containersOf(spec).flatMap((container) =>
      containerFaults(container).map((fault) => `${titleOf(owner)}: the container ${container.name} ${fault}.`),
    ),
    ...(owner.kind === 'Job' ? [] : spec.containers).flatMap((container) =>
      serverFaults(container, spec.terminationGracePeriodSeconds).map(
        (fault) => `${titleOf(owner)}: the container ${container.name} ${fault}.`,
      ),
    ),
  ]);
}
