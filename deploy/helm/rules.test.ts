import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { render } from './test/helm-program.ts';
import { alertFaults } from './test/rules/alerts.ts';
import { type Manifest, titleOf } from './test/rules/manifest.ts';
import { policyFaults } from './test/rules/policies.ts';
import { referenceFaults } from './test/rules/references.ts';
import { securityFaults } from './test/rules/security.ts';
import { strictFaults } from './test/rules/strict.ts';
import { variableFaults } from './test/rules/variables.ts';

const rendered = render(['values-ha.yaml']);
const crm = 'Deployment suite-crm';
const container = 'spec.template.spec.containers.0';

/** A field that breaks a rule: object, path, value (undefined removes the field), and a part of the reported sentence. */
type Breakage = readonly [title: string, path: string, value: unknown, sentence: string];

type Fields = Record<string, unknown>;

/** Returns the objects with one field changed. */
function changed([title, path, value]: Breakage): Manifest[] {
  const objects = structuredClone(rendered);
  const object = objects.find((one) => titleOf(one) === title);
  if (!object) throw new Error(`The chart has no ${title}.`);
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let parent = object as Fields;
  for (const step of steps) parent = parent[step] as Fields;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return objects;
}

/** Returns the sentences that a change adds. */
async function added(breakage: Breakage, check: (objects: readonly Manifest[]) => string[] | Promise<string[]>) {
  const before = await check(rendered);
  return (await check(changed(breakage))).filter((sentence) => !before.includes(sentence)).join('\n');
}

/** Every Secret that the objects name exists, except for the one that a fixture misspells. */
const secrets = new Map(
  [...JSON.stringify(rendered).matchAll(/"(suite-[a-z-]+)"/g)].map(([, name = '']) => [name, undefined] as const),
).set('suite-crm-database', undefined);
const known = new Map<string, readonly string[] | undefined>(secrets).set('suite-hr-database', [
  'username',
  'password',
]);

const STRICT: Breakage[] = [
  [crm, `${container}.livenesProbe`, {}, 'the field spec.template.spec.containers.0.livenesProbe does not exist'],
  [crm, `${container}.ports.0.containerPort`, 'http', 'must be integer'],
  [crm, 'spec.selector', undefined, 'must have required property selector'],
  [crm, `${container}.resources.limits.memory`, 'a lot', 'must match'],
  [crm, 'apiVersion', 'apps/v9', 'apps/v9 has no such kind'],
  ['PodDisruptionBudget suite-crm', 'spec.maxUnavailabl', 1, 'the field spec.maxUnavailabl does not exist'],
  ['HorizontalPodAutoscaler suite-crm', 'spec.maxReplicas', undefined, 'must have required property maxReplicas'],
  ['HTTPRoute suite-gateway', 'spec.hostname', 'example.com', 'the field spec.hostname does not exist'],
  ['HTTPRoute suite-gateway', 'spec.parentRefs.0.name', undefined, 'must have required property name'],
  ['PrometheusRule suite', 'spec.groups.0.rules.0.expr', undefined, 'must have required property expr'],
  ['ServiceMonitor suite', 'spec.endpoints.0.intervall', '1m', 'the field spec.endpoints.0.intervall does not exist'],
  ['Cluster suite-postgres', 'spec.instance', 3, 'the field spec.instance does not exist'],
  ['Cluster suite-postgres', 'spec.instances', '3', 'spec.instances is not valid'],
  ['Database suite-crm-database', 'spec.owner', undefined, 'spec.owner is not valid'],
  [
    'ObjectStore suite-postgres',
    'spec.configuration.destination',
    's3://a',
    'the field spec.configuration.destination does not exist',
  ],
  ['ScheduledBackup suite-postgres', 'spec.schedule', '30 2 * * *', 'spec.schedule is not valid'],
];

const VARIABLES: Breakage[] = [
  [crm, `${container}.env.0.name`, 'HOSTS', 'no setting is called HOSTS'],
  [crm, `${container}.env.1.name`, 'HOST', 'HOST is set twice'],
  [crm, `${container}.env.1.value`, 'nine', 'OPERATIONS_PORT is not valid'],
  [crm, `${container}.env`, [], 'DATABASE_URL is missing'],
  ['Deployment suite-gateway', `${container}.env`, [], 'UPSTREAM_CRM is missing'],
  [crm, 'spec.template.spec.initContainers.0.env', [], 'DATABASE_URL is missing'],
];

const REFERENCES: Breakage[] = [
  [crm, `${container}.readinessProbe.httpGet.port`, 'health', 'a probe uses the port health'],
  [crm, `${container}.volumeMounts.0.name`, 'key', 'no volume is called key'],
  [
    crm,
    'spec.template.spec.volumes.0.projected.sources.0.secret.name',
    'crm-keys',
    'the Secret crm-keys does not exist',
  ],
  ['Deployment suite-hr', `${container}.env.8.valueFrom.secretKeyRef.key`, 'URL', 'has no key URL'],
  [crm, 'spec.template.spec.serviceAccountName', 'other', 'the ServiceAccount other does not exist'],
  [crm, 'spec.template.spec.volumes.2.persistentVolumeClaim.claimName', 'files', 'the PersistentVolumeClaim files'],
  [crm, 'spec.selector.matchLabels', { app: 'crm' }, 'its selector does not select its pods'],
  [crm, 'spec.template.spec.topologySpreadConstraints.0.labelSelector.matchLabels', { app: 'crm' }, 'topology spread'],
  [
    'StatefulSet suite-nats',
    'spec.template.spec.volumes.0.configMap.name',
    'nats',
    'the ConfigMap nats does not exist',
  ],
  ['Service suite-crm', 'spec.ports.0.targetPort', 'rpc', 'its pods have no port rpc'],
  ['Service suite-crm', 'spec.selector', { app: 'crm' }, 'it selects 0 kinds of pods'],
  ['Service suite-crm', 'spec.ports.0.port', 8002, 'RPC_CRM names suite-crm:8001, which no Service has'],
  ['NetworkPolicy suite-crm', 'spec.podSelector.matchLabels', { app: 'crm' }, 'its selector selects no pods'],
  ['PodDisruptionBudget suite-crm', 'spec.selector.matchLabels', { app: 'crm' }, 'its selector selects no pods'],
  ['HorizontalPodAutoscaler suite-crm', 'spec.scaleTargetRef.name', 'crm', 'Deployment crm does not exist'],
  ['HTTPRoute suite-gateway', 'spec.rules.0.backendRefs.0.port', 80, 'no Service is at suite-gateway:80'],
  ['Cluster suite-postgres', 'spec.superuserSecret.name', 'super', 'the Secret super does not exist'],
  ['ConfigMap suite-nats', 'kind', 'Secret', 'the ConfigMap suite-nats does not exist'],
  ['Service suite-hr', 'metadata.name', 'suite-crm', 'Service suite-crm exists twice'],
];

const POLICIES: Breakage[] = [
  ['NetworkPolicy suite-deny-all', 'kind', 'ConfigMap', 'No policy denies what the others do not allow'],
  ['NetworkPolicy suite-crm', 'spec.egress', [], 'A connection of crm is not allowed: platform:8001'],
  ['NetworkPolicy suite-crm', 'spec.egress.0.to', [], 'A connection of crm is not in the table: any:53/UDP'],
  ['NetworkPolicy suite-crm', 'spec.ingress.0.ports', [], 'A connection to crm is not in the table: gateway:all'],
  ['NetworkPolicy suite-crm', 'spec.ingress', [{}], 'A connection to crm is not in the table: any:all'],
  ['NetworkPolicy suite-nats', 'spec.ingress.0.from', [], 'A connection to NATS is not in the table: any:4222'],
];

const SECURITY: Breakage[] = [
  [crm, 'spec.template.spec.securityContext.runAsNonRoot', false, 'needs runAsNonRoot'],
  [crm, 'spec.template.spec.securityContext.seccompProfile', undefined, 'seccomp profile'],
  [crm, 'spec.template.spec.automountServiceAccountToken', true, 'automountServiceAccountToken'],
  [crm, 'spec.template.spec.enableServiceLinks', undefined, 'enableServiceLinks'],
  [crm, 'spec.template.spec.hostNetwork', true, 'must not use the host'],
  [crm, 'spec.template.spec.volumes.1', { name: 'tmp', hostPath: { path: '/tmp' } }, 'paths of the host'],
  [crm, `${container}.securityContext.readOnlyRootFilesystem`, undefined, 'readOnlyRootFilesystem'],
  [crm, `${container}.securityContext.allowPrivilegeEscalation`, undefined, 'allowPrivilegeEscalation'],
  [crm, `${container}.securityContext.capabilities.drop`, ['NET_RAW'], 'must drop ALL'],
  [crm, `${container}.securityContext.privileged`, true, 'must not be privileged'],
  [crm, `${container}.resources.limits`, undefined, 'requests and limits'],
  [crm, `${container}.ports.0.hostPort`, 8001, 'ports of the host'],
  [crm, `${container}.startupProbe`, undefined, 'needs a startup probe'],
  [crm, `${container}.livenessProbe`, undefined, 'needs /health/live'],
  [crm, `${container}.readinessProbe.httpGet.path`, '/health/live', 'needs /health/ready'],
  [crm, 'spec.template.spec.terminationGracePeriodSeconds', 30, 'needs more time to stop'],
];

const rules = 'spec.groups.0.rules';
const ALERTS: Breakage[] = [
  [
    'PrometheusRule suite',
    `${rules}.0.expr`,
    'down{a="b"} == 0',
    'SuiteProcessDown uses down, which the table does not',
  ],
  ['PrometheusRule suite', `${rules}.5.for`, '5m', 'SuiteEventsUnprocessed waits for 5m, unlike the table'],
  ['PrometheusRule suite', `${rules}.7.for`, undefined, 'SuiteWorkPostponed waits for nothing, unlike the table'],
  [
    'PrometheusRule suite',
    `${rules}.4.expr`,
    'journal_waiting{} > 9',
    'about journal_oldest_seconds or journal_waiting',
  ],
  ['PrometheusRule suite', rules, [], 'No alert uses dead_letters'],
];
const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');

const outside = {
  nats: 'nats',
  postgres: () => 'cluster suite-postgres',
  smtp: [],
  https: [],
};

describe('a rule', () => {
  test.each(STRICT)('about fields reports %s %s', async (...breakage) => {
    expect(await added(breakage, strictFaults)).toContain(breakage[3]);
  });

  test.each(VARIABLES)('about variables reports %s %s', async (...breakage) => {
    expect(await added(breakage, (objects) => variableFaults(objects, {}))).toContain(breakage[3]);
  });

  test.each(REFERENCES)('about references reports %s %s', async (...breakage) => {
    expect(await added(breakage, (objects) => referenceFaults(objects, known))).toContain(breakage[3]);
  });

  test.each(POLICIES)('about network policies reports %s %s', async (...breakage) => {
    expect(await added(breakage, (objects) => policyFaults(objects, outside))).toContain(breakage[3]);
  });

  test.each(ALERTS)('about alerts reports %s %s', async (...breakage) => {
    expect(await added(breakage, (objects) => alertFaults(objects, page))).toContain(breakage[3]);
  });

  test.each(SECURITY)('about pod security reports %s %s', async (...breakage) => {
    expect(await added(breakage, securityFaults)).toContain(breakage[3]);
  });
});
