/** Checks that objects refer only to what exists: volumes, Secrets, ports, pods, Services and addresses. */
import type { V1Container, V1EnvVar, V1LabelSelector, V1Probe, V1ServicePort, V1Volume } from '@kubernetes/client-node';
import { containersOf, type Labels, type Manifest, ofKind, type Pods, podsOf, selects, titleOf } from './manifest.ts';

/** Secrets that exist, by name, with their keys. No keys mean that another program creates the Secret. */
export type KnownSecrets = ReadonlyMap<string, readonly string[] | undefined>;

interface Place {
  objects: readonly Manifest[];
  pods: readonly Pods[];
  secrets: KnownSecrets;
}

const has = (objects: readonly Manifest[], kind: string, name: string | undefined): boolean =>
  ofKind(objects, kind).some(({ metadata }) => metadata.name === name);

const portNames = ({ spec }: Pods): string[] =>
  spec.containers.flatMap(({ ports = [] }) =>
    ports.flatMap(({ name, containerPort }) => [name ?? '', `${containerPort}`]),
  );

/** Returns a sentence if the Secret or its key does not exist. */
function secretFaults(
  secrets: KnownSecrets,
  name: string | undefined,
  keys: readonly string[],
  isOptional = false,
): string[] {
  if (!name || !secrets.has(name)) return [`the Secret ${name} does not exist.`];
  const known = secrets.get(name);
  if (!known || isOptional) return [];
  return keys.filter((key) => !known.includes(key)).map((key) => `the Secret ${name} has no key ${key}.`);
}

function volumeFaults(
  { objects, secrets }: Place,
  { secret, projected, configMap, persistentVolumeClaim: claim }: V1Volume,
): string[] {
  const mounted = [
    ...(secret ? [{ ...secret, name: secret.secretName }] : []),
    ...(projected?.sources ?? []).flatMap((source) => source.secret ?? []),
  ];
  return [
    ...mounted.flatMap(({ name, items = [], optional }) =>
      secretFaults(
        secrets,
        name,
        items.map(({ key }) => key),
        optional,
      ),
    ),
    ...(configMap && !has(objects, 'ConfigMap', configMap.name)
      ? [`the ConfigMap ${configMap.name} does not exist.`]
      : []),
    ...(claim && !has(objects, 'PersistentVolumeClaim', claim.claimName)
      ? [`the PersistentVolumeClaim ${claim.claimName} does not exist.`]
      : []),
  ];
}

/** Hosts and ports in a value: `suite-crm:8001`, or a list of URLs. Addresses with a dot at the end are outside. */
const ADDRESS = /(?:^|[/@,])([a-z][-a-z0-9]*(?:\.[a-z][-a-z0-9]*)?):(\d+)(?=$|[/,])/g;

/** Returns the addresses in the variables of a container that no Service has. */
function addressFaults({ objects }: Place, { name, value = '' }: V1EnvVar): string[] {
  if (!/^(RPC_|UPSTREAM_|NATS_URL$|ADMIN_URL$)/.test(name)) return [];
  return [...value.matchAll(ADDRESS)].flatMap(([, host = '', port]) => {
    const service = host.split('.').at(-1) ?? '';
    const found = ofKind(objects, 'Service').find(({ metadata }) => metadata.name === service);
    // CloudNativePG creates the Service of the primary.
    const isCluster = port === '5432' && has(objects, 'Cluster', service.replace(/-rw$/, ''));
    const ports = (found?.spec?.['ports'] ?? []) as V1ServicePort[];
    return isCluster || ports.some((one) => `${one.port}` === port)
      ? []
      : [`${name} names ${host}:${port}, which no Service has.`];
  });
}

function containerFaults(place: Place, { spec }: Pods, container: V1Container): string[] {
  const volumes = (spec.volumes ?? []).map(({ name }) => name);
  const claims = place.pods.flatMap(({ owner }) => (owner.spec?.['volumeClaimTemplates'] ?? []) as Manifest[]);
  const known = [...volumes, ...claims.map(({ metadata }) => metadata.name)];
  const ports = (container.ports ?? []).map(({ name }) => name);
  const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
  const probed = probes.flatMap((probe?: V1Probe) => probe?.httpGet?.port ?? []);
  return [
    ...(container.volumeMounts ?? [])
      .filter(({ name }) => !known.includes(name))
      .map(({ name }) => `no volume is called ${name}.`),
    ...probed
      .filter((port) => !ports.includes(String(port)))
      .map((port) => `a probe uses the port ${port}, which does not exist.`),
    ...(container.env ?? []).flatMap((variable) => {
      const key = variable.valueFrom?.secretKeyRef;
      return [
        ...(key ? secretFaults(place.secrets, key.name, [key.key], key.optional) : []),
        ...addressFaults(place, variable),
      ];
    }),
  ];
}

function podFaults(place: Place, pods: Pods): string[] {
  const { owner, spec, labels } = pods;
  const selector = owner.spec?.['selector'] as V1LabelSelector | undefined;
  const account = spec.serviceAccountName;
  const faults = [
    ...(spec.volumes ?? []).flatMap((volume) => volumeFaults(place, volume)),
    ...containersOf(spec).flatMap((container) => containerFaults(place, pods, container)),
    ...(account && has(place.objects, 'ServiceAccount', account)
      ? []
      : [`the ServiceAccount ${account} does not exist.`]),
    ...(selector && !selects(selector.matchLabels, labels) ? ['its selector does not select its pods.'] : []),
    ...(spec.topologySpreadConstraints ?? [])
      .filter(({ labelSelector }) => !selects(labelSelector?.matchLabels, labels))
      .map(() => 'its topology spread does not select its pods.'),
  ];
  return faults.map((fault) => `${titleOf(owner)}: ${fault}`);
}

function serviceFaults({ pods }: Place, service: Manifest): string[] {
  const selected = pods.filter(({ labels }) => selects(service.spec?.['selector'] as Labels, labels));
  const ports = (service.spec?.['ports'] ?? []) as V1ServicePort[];
  const existing = selected.flatMap(portNames);
  return [
    ...(selected.length === 1 ? [] : [`it selects ${selected.length} kinds of pods.`]),
    ...ports
      .filter(({ targetPort }) => !existing.includes(String(targetPort)))
      .map(({ targetPort }) => `its pods have no port ${targetPort}.`),
  ].map((fault) => `${titleOf(service)}: ${fault}`);
}

/** Selectors of policies and disruption budgets must select pods of the chart, or of a CloudNativePG cluster. */
function selectorFaults({ objects, pods }: Place, object: Manifest): string[] {
  const selector = (object.spec?.['podSelector'] ?? object.spec?.['selector']) as V1LabelSelector | undefined;
  const labels = selector?.matchLabels ?? {};
  const cluster = labels['cnpg.io/cluster'];
  const isFound = cluster ? has(objects, 'Cluster', cluster) : pods.some((one) => selects(labels, one.labels));
  return isFound ? [] : [`${titleOf(object)}: its selector selects no pods.`];
}

interface BackendRule {
  backendRefs?: { name: string; port: number }[];
}

function routeFaults({ objects }: Place, route: Manifest): string[] {
  const rules = (route.spec?.['rules'] ?? []) as BackendRule[];
  return rules.flatMap(({ backendRefs = [] }) =>
    backendRefs.flatMap(({ name, port }) => {
      const service = ofKind(objects, 'Service').find(({ metadata }) => metadata.name === name);
      const ports = (service?.spec?.['ports'] ?? []) as V1ServicePort[];
      return ports.some((one) => one.port === port) ? [] : [`${titleOf(route)}: no Service is at ${name}:${port}.`];
    }),
  );
}

function scalerFaults({ objects }: Place, scaler: Manifest): string[] {
  const target = scaler.spec?.['scaleTargetRef'] as { kind: string; name: string } | undefined;
  const isFound = target && has(objects, target.kind, target.name);
  return isFound ? [] : [`${titleOf(scaler)}: ${target?.kind} ${target?.name} does not exist.`];
}

/** Returns the references to what does not exist. */
export function referenceFaults(objects: readonly Manifest[], secrets: KnownSecrets): string[] {
  const place = { objects, pods: podsOf(objects), secrets };
  const each = (kind: string, check: (place: Place, one: Manifest) => string[]) =>
    ofKind(objects, kind).flatMap((one) => check(place, one));
  return [
    ...place.pods.flatMap((pods) => podFaults(place, pods)),
    ...each('Service', serviceFaults),
    ...each('NetworkPolicy', selectorFaults),
    ...each('PodDisruptionBudget', selectorFaults),
    ...each('HTTPRoute', routeFaults),
    ...each('HorizontalPodAutoscaler', scalerFaults),
    ...clusterSecretFaults(place),
    ...repeatedNames(objects),
  ];
}

/** Secrets of CloudNativePG clusters: superuser, logins and database owner. */
function clusterSecretFaults({ objects, secrets }: Place): string[] {
  return ofKind(objects, 'Cluster').flatMap((cluster) => {
    const names = [...JSON.stringify(cluster.spec).matchAll(/"\w*[sS]ecret":\{"name":"([^"]+)"\}/g)].map(
      ([, name]) => name,
    );
    return names.flatMap((name) =>
      secretFaults(secrets, name, ['username', 'password']).map((fault) => `${titleOf(cluster)}: ${fault}`),
    );
  });
}

/** A server would replace the first of two objects with the same name. */
function repeatedNames(objects: readonly Manifest[]): string[] {
  const titles = objects.map(titleOf);
  return titles.filter((title, at) => titles.indexOf(title) !== at).map((title) => `${title} exists twice.`);
}
