/** Compares the connections that the network policies allow with the table of processes. */
import type {
  V1NetworkPolicyIngressRule,
  V1NetworkPolicyPeer,
  V1NetworkPolicyPort,
  V1NetworkPolicySpec,
} from '@kubernetes/client-node';
import { processes, services, GATEWAY_CALLS } from '../../../local/src/processes.ts';
import { type Labels, type Manifest, ofKind } from './manifest.ts';

const HTTP = 8000;
const GRPC = 8001;
const OPERATIONS = 9000;
const GATEWAY_PORT = 4000;
const names = processes.map(({ name }) => name);
const isSender = (name: string, senders: readonly string[]): boolean => senders.includes(name);

/** Servers outside the suite that pods connect to, in the values that are checked. */
export interface Outside {
  /** The component of PostgreSQL by service, such as `cluster suite-postgres`; any address by default. */
  postgres: (service: string) => string;
  nats: string;
  /** Services that send e-mails, if there is an SMTP server, and the services that call public addresses. */
  smtp: readonly string[];
  https: readonly string[];
  /** Ports of the bucket with the files of the services, if there is one. */
  s3?: readonly number[];
  /** Whether gateways count requests in PostgreSQL. */
  rate_limits?: string;
}

/** Returns the outgoing connections of each process by the table, as `peer:port`. */
function outgoing(name: string, outside: Outside): string[] {
  const row = services.find((one) => one.name === name);
  const calls = row?.calls ?? GATEWAY_CALLS;
  return [
    'dns:53/UDP',
    'dns:53/TCP',
    `${outside.nats}:4222`,
    ...(row ? [`${outside.postgres(name)}:5432`] : services.map((one) => `${one.name}:${HTTP}`)),
    ...calls.map((called) => `${called}:${GRPC}`),
    ...(isSender(name, outside.smtp) ? [25, 465, 587].map((port) => `any:${port}`) : []),
    ...(row ? (outside.s3 ?? []).map((port) => `any:${port}`) : []),
    ...(isSender(name, outside.https) ? ['0.0.0.0/0:443', '::/0:443'] : []),
    ...(!row && outside.rate_limits ? [`${outside.rate_limits}:5432`] : []),
  ];
}

/** Returns the incoming connections of each process by the table. */
function incoming(name: string): string[] {
  const monitoring = `namespace monitoring:${OPERATIONS}`;
  if (!services.some((one) => one.name === name)) return [`any:${GATEWAY_PORT}`, monitoring];
  const callers = [
    ...services.filter(({ calls }) => calls.includes(name)).map((one) => one.name),
    ...(GATEWAY_CALLS.includes(name) ? ['gateway'] : []),
  ];
  return [`gateway:${HTTP}`, ...callers.map((caller) => `${caller}:${GRPC}`), monitoring];
}

/** Returns the words for a peer: a component of the chart, a cluster, a namespace or a range of addresses. */
function peerName({ podSelector, namespaceSelector, ipBlock }: V1NetworkPolicyPeer): string {
  if (ipBlock) return ipBlock.cidr;
  const pods = podSelector?.matchLabels ?? {};
  const namespace = namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'];
  if (namespace) return pods['k8s-app'] === 'kube-dns' ? 'dns' : `namespace ${namespace}`;
  const cluster = pods['cnpg.io/cluster'];
  if (cluster) return `cluster ${cluster}`;
  return (
    pods['app.kubernetes.io/component'] ??
    (pods['app.kubernetes.io/name'] ? String(pods['app.kubernetes.io/name']) : 'all pods')
  );
}

/** Returns `peer:port` for each combination that rules allow. No peers mean any, and no ports mean all. */
const connections = (rules: readonly { peers: V1NetworkPolicyPeer[]; ports: V1NetworkPolicyPort[] }[]): string[] =>
  rules.flatMap(({ peers, ports }) =>
    (peers.length > 0 ? peers.map(peerName) : ['any']).flatMap((peer) =>
      (ports.length > 0 ? ports : [{ port: 'all' }]).map(
        ({ port, protocol }: V1NetworkPolicyPort) =>
          `${peer}:${port}${port === 53 || (protocol && protocol !== 'TCP') ? `/${protocol}` : ''}`,
      ),
    ),
  );

const outgoingOf = ({ egress = [] }: V1NetworkPolicySpec): string[] =>
  connections(egress.map(({ to = [], ports = [] }) => ({ peers: to, ports })));
const incomingOf = ({ ingress = [] }: V1NetworkPolicySpec): string[] =>
  connections(ingress.map(({ _from = [], from = _from, ports = [] }: IngressRule) => ({ peers: from, ports })));

/** The rule as YAML spells it: the client renames `from`. */
type IngressRule = V1NetworkPolicyIngressRule & { from?: V1NetworkPolicyPeer[] };

function difference(title: string, actual: readonly string[], expected: readonly string[]): string[] {
  return [
    ...expected.filter((one) => !actual.includes(one)).map((one) => `${title} is not allowed: ${one}.`),
    ...actual.filter((one) => !expected.includes(one)).map((one) => `${title} is not in the table: ${one}.`),
  ];
}

const componentOf = (labels: Labels | undefined): string | undefined => labels?.['app.kubernetes.io/component'];

/** Returns the differences between the network policies and the table of processes. */
export function policyFaults(objects: readonly Manifest[], outside: Outside): string[] {
  const policies = ofKind(objects, 'NetworkPolicy').map(({ spec }) => spec as unknown as V1NetworkPolicySpec);
  const denials = policies.filter(
    ({ podSelector, policyTypes = [], ingress, egress }) =>
      !componentOf(podSelector?.matchLabels) &&
      policyTypes.includes('Ingress') &&
      policyTypes.includes('Egress') &&
      !ingress &&
      !egress,
  );
  const ofProcess = (name: string) =>
    policies.filter(({ podSelector }) => {
      const labels = podSelector?.matchLabels;
      return labels?.['app.kubernetes.io/name'] === 'suite' && componentOf(labels) === name;
    });
  return [
    ...(denials.length === 1 ? [] : ['No policy denies what the others do not allow.']),
    ...names.flatMap((name) => {
      const own = ofProcess(name);
      return [
        ...difference(`A connection of ${name}`, own.flatMap(outgoingOf), outgoing(name, outside)),
        ...difference(`A connection to ${name}`, own.flatMap(incomingOf), incoming(name)),
      ];
    }),
    ...difference(
      'A connection to NATS',
      policies
        .filter(({ podSelector }) => podSelector?.matchLabels?.['app.kubernetes.io/name'] === 'nats')
        .flatMap(incomingOf),
      outside.nats === 'nats' ? [...names.map((name) => `${name}:4222`), 'nats:6222'] : [],
    ),
  ];
}
