/** Adds up what the chart requests of a Kubernetes cluster. */
import type { V1ResourceRequirements } from '@kubernetes/client-node';
import { type Manifest, ofKind, podsOf } from './manifest.ts';

const UNITS: Readonly<Record<string, number>> = { m: 1e-3, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };

/** Returns a quantity in CPUs or bytes. */
function amount(quantity: unknown): number {
  const [, number = '0', unit = ''] = /^([\d.]+)(\w*)$/.exec(String(quantity)) ?? [];
  return Number(number) * (UNITS[unit] ?? 1);
}

interface Part {
  count: number;
  requests: Readonly<Record<string, unknown>>;
  volume?: unknown;
}

/** Returns the pods of Deployments and StatefulSets, at the smallest number of replicas. */
function podParts(objects: readonly Manifest[]): Part[] {
  const smallest = (name: string): number | undefined =>
    ofKind(objects, 'HorizontalPodAutoscaler').find(({ metadata }) => metadata.name === name)?.spec?.['minReplicas'] as
      | number
      | undefined;
  return podsOf(objects).flatMap(({ owner, spec }) => {
    const count = (owner.spec?.['replicas'] as number | undefined) ?? smallest(owner.metadata.name) ?? 0;
    const claims = (owner.spec?.['volumeClaimTemplates'] ?? []) as Manifest[];
    return [
      ...spec.containers.map(({ resources }) => ({ count, requests: resources?.requests ?? {} })),
      ...claims.map((claim) => ({ count, requests: {}, volume: sizeOf(claim) })),
    ];
  });
}

const sizeOf = ({ spec }: Manifest): unknown =>
  (spec?.['resources'] as V1ResourceRequirements | undefined)?.requests?.['storage'];

function clusterParts(objects: readonly Manifest[]): Part[] {
  return ofKind(objects, 'Cluster').map(({ spec }) => {
    const { instances, resources, storage } = spec as {
      instances: number;
      resources: V1ResourceRequirements;
      storage: { size: string };
    };
    return { count: instances, requests: resources.requests ?? {}, volume: storage.size };
  });
}

/** Returns the CPUs, memory and storage that the objects request, such as `0.8, 1.6 GiB, 19 GiB`. */
export function totalRequests(objects: readonly Manifest[]): string {
  const claims = ofKind(objects, 'PersistentVolumeClaim').map((claim) => ({
    count: 1,
    requests: {},
    volume: sizeOf(claim),
  }));
  const parts: Part[] = [...podParts(objects), ...clusterParts(objects), ...claims];
  const sum = (of: (part: Part) => unknown) => parts.reduce((total, part) => total + part.count * amount(of(part)), 0);
  const gib = (bytes: number, digits: number) =>
    `${(bytes / 2 ** 30).toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} GiB`;
  const cpus = sum(({ requests }) => requests['cpu'] ?? 0);
  const memory = sum(({ requests }) => requests['memory'] ?? 0);
  const storage = sum(({ volume }) => volume ?? 0);
  return `${cpus.toFixed(1)}, ${gib(memory, 1)}, ${gib(storage, 0)}`;
}
