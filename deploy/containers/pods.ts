/** Derives pods for podman from the objects that the chart renders: what a kubelet and a Service do, without a cluster. */
import type { V1Container, V1EnvVar, V1PodSpec, V1Volume } from '@kubernetes/client-node';
import { type Labels, type Manifest, ofKind, type Pods, podsOf, selects } from '../helm/test/rules/manifest.ts';

/** The data of Secrets by their names. */
export type Secrets = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** A folder that a pod mounts. */
export interface MountedFolder {
  /** Path below the folder of the pod. */
  path: string;
  mode: number;
  /** Group of the folder and its files. */
  group: number;
  /** Contents and mode of its files, by path. */
  files: Readonly<Record<string, { text: string; mode: number }>>;
}

/** A pod that podman plays. */
export interface PlayedPod {
  name: string;
  /** Its address in the network. */
  address: string;
  manifest: Manifest;
  folders: MountedFolder[];
  /** The container that runs until it is stopped, as the chart describes it. */
  container: V1Container;
  /** Time to stop, in seconds. */
  grace_s: number;
}

/** Places of a played suite. */
export interface Stage {
  /** Folder of the volumes. */
  directory: string;
  /** Returns the address of the pod with this number, from 0. */
  address: (at: number) => string;
  secrets: Secrets;
}

/** A folder of every user, as an emptyDir is. */
const FOR_ALL = 0o777;
/** A volume belongs to the group of the pod. */
const FOR_GROUP = 0o2775;
const DEFAULT_MODE = 0o644;
const DEFAULT_GRACE_S = 30;

const podName = ({ kind, metadata }: Manifest): string =>
  kind === 'StatefulSet' ? `${metadata.name}-0` : metadata.name;

/** Returns the data of a Secret. @throws Error if it does not exist */
function secretOf(secrets: Secrets, name: string | undefined): Readonly<Record<string, string>> {
  const found = secrets.get(name ?? '');
  if (!found) throw new Error(`The Secret ${name} does not exist.`);
  return found;
}

/** Returns the variables with their values, as a kubelet passes them to a container. */
function environmentOf(env: readonly V1EnvVar[], name: string, secrets: Secrets): V1EnvVar[] {
  const values = new Map<string, string>();
  for (const { name: variable, value = '', valueFrom } of env) {
    const key = valueFrom?.secretKeyRef;
    const found = key && secretOf(secrets, key.name)[key.key];
    if (key && found === undefined && !key.optional) throw new Error(`The Secret ${key.name} has no key ${key.key}.`);
    if (key) {
      if (found !== undefined) values.set(variable, found);
    } else if (valueFrom?.fieldRef?.fieldPath === 'metadata.name') values.set(variable, name);
    else if (valueFrom) throw new Error(`The source of ${variable} is not supported.`);
    else
      values.set(
        variable,
        value.replaceAll(/\$\((\w+)\)/g, (text, other: string) => values.get(other) ?? text),
      );
  }
  return [...values].map(([variable, value]) => ({ name: variable, value }));
}

/** Returns the files of a volume: keys of Secrets, or a ConfigMap. */
function filesOf(volume: V1Volume, objects: readonly Manifest[], secrets: Secrets): MountedFolder['files'] {
  const { secret, projected, configMap } = volume;
  const sources = [
    ...(secret ? [{ name: secret.secretName, items: secret.items, optional: secret.optional }] : []),
    ...(projected?.sources ?? []).flatMap((source) => source.secret ?? []),
  ];
  const mode = secret?.defaultMode ?? projected?.defaultMode ?? DEFAULT_MODE;
  const fromSecrets = sources.flatMap(({ name, items, optional }) => {
    const data = secretOf(secrets, name);
    return (items ?? Object.keys(data).map((key) => ({ key, path: key }))).flatMap(({ key, path }) => {
      const text = data[key];
      if (text === undefined && !optional) throw new Error(`The Secret ${name} has no key ${key}.`);
      return text === undefined ? [] : [[path, { text, mode }] as const];
    });
  });
  const map = configMap && ofKind(objects, 'ConfigMap').find(({ metadata }) => metadata.name === configMap.name);
  const fromMap = Object.entries(map?.data ?? {}).map(([path, text]) => [path, { text, mode: DEFAULT_MODE }] as const);
  return Object.fromEntries([...fromSecrets, ...fromMap]);
}

/** Returns the folder of each volume. Claims become empty folders. */
function foldersOf({ owner, spec }: Pods, objects: readonly Manifest[], secrets: Secrets): MountedFolder[] {
  const claims = ((owner.spec?.['volumeClaimTemplates'] ?? []) as Manifest[]).map(({ metadata: { name } }) => name);
  const group = spec.securityContext?.fsGroup ?? 0;
  return [
    ...(spec.volumes ?? []).map((volume) => ({
      path: volume.name,
      mode: volume.emptyDir ? FOR_ALL : volume.persistentVolumeClaim ? FOR_GROUP : 0o755,
      group,
      files: filesOf(volume, objects, secrets),
    })),
    ...claims.map((path) => ({ path, mode: FOR_GROUP, group, files: {} })),
  ];
}

/** Returns a container without what the program does in place of a kubelet: probes, ports and hooks. */
function playedContainer(container: V1Container, spec: V1PodSpec, name: string, secrets: Secrets): V1Container {
  const { startupProbe: _1, readinessProbe: _2, livenessProbe: _3, lifecycle: _4, ports: _5, ...rest } = container;
  const { runAsUser, runAsGroup, runAsNonRoot } = spec.securityContext ?? {};
  return {
    ...rest,
    env: environmentOf(container.env ?? [], name, secrets),
    securityContext: { runAsUser, runAsGroup, runAsNonRoot, ...container.securityContext },
  };
}

/** Returns the names of each pod's Services, by the number of the pod. */
function hostNames(pods: readonly Pods[], objects: readonly Manifest[]): string[][] {
  const services = ofKind(objects, 'Service');
  return pods.map(({ owner, labels }) => {
    const own = services
      .filter(({ spec }) => selects(spec?.['selector'] as Labels, labels))
      .map(({ metadata }) => metadata.name);
    const member = owner.kind === 'StatefulSet' ? own.map((service) => `${podName(owner)}.${service}`) : [];
    return [...own, ...member];
  });
}

/**
 * Returns one pod for each Deployment, StatefulSet and Job. A crash is not hidden by a restart. The names of Services are
 * in the hosts file of each pod, because podman has no Services.
 * @throws Error if a Secret or key is missing
 */
export function playedPods(objects: readonly Manifest[], { directory, address, secrets }: Stage): PlayedPod[] {
  const all = podsOf(objects);
  const hostAliases = hostNames(all, objects).flatMap((hostnames, at) =>
    hostnames.length > 0 ? [{ ip: address(at), hostnames }] : [],
  );
  return all.map((pods, at) => {
    const { owner, labels, spec } = pods;
    const name = podName(owner);
    const grace_s = spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_S;
    const played = (container: V1Container) => playedContainer(container, spec, name, secrets);
    const folders = foldersOf(pods, objects, secrets);
    const manifest = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels },
      spec: {
        restartPolicy: 'Never',
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        terminationGracePeriodSeconds: grace_s,
        securityContext: spec.securityContext,
        hostAliases,
        ...(spec.initContainers && { initContainers: spec.initContainers.map(played) }),
        containers: spec.containers.map(played),
        volumes: folders.map(({ path }) => ({
          name: path,
          hostPath: { path: `${directory}/${name}/${path}`, type: 'Directory' },
        })),
      },
    };
    return {
      name,
      address: address(at),
      manifest,
      folders,
      container: spec.containers[0]!,
      grace_s,
    };
  });
}
