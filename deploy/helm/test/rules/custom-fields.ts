/** Fields of custom resources that the chart uses, as their documentation describes them. */
import { z } from 'zod';
import { type Manifest, titleOf } from './manifest.ts';

const strict = z.strictObject;
const name = z.string().regex(/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/);
const named = strict({ name });
const key = strict({ name, key: z.string() });
const texts = z.record(z.string(), z.string());
const quantity = z
  .string()
  .regex(/^\d+(\.\d+)?(m|Ki|Mi|Gi|Ti)?$/)
  .or(z.number());
const amounts = strict({ cpu: quantity.optional(), memory: quantity.optional() });

// CloudNativePG 1.26 or later: https://cloudnative-pg.io/documentation/current/cloudnative-pg.v1/
const role = strict({
  name: z.string(),
  ensure: z.enum(['present', 'absent']),
  login: z.boolean(),
  inherit: z.boolean().optional(),
  inRoles: z.array(z.string()).optional(),
  passwordSecret: named.optional(),
});
const cluster = strict({
  instances: z.int().min(1),
  imageName: z.string(),
  imagePullSecrets: z.array(named).optional(),
  enableSuperuserAccess: z.boolean(),
  superuserSecret: named,
  postgresql: strict({
    synchronous: strict({
      method: z.enum(['any', 'first']),
      number: z.int().min(1),
      dataDurability: z.enum(['required', 'preferred']),
    }).optional(),
    parameters: texts,
  }),
  bootstrap: strict({
    initdb: strict({
      database: z.string(),
      owner: z.string(),
      secret: named.optional(),
      dataChecksums: z.boolean(),
      encoding: z.string(),
      localeProvider: z.string(),
      builtinLocale: z.string(),
    }),
  }),
  managed: strict({ roles: z.array(role) }),
  storage: strict({ size: quantity, storageClass: z.string().optional() }),
  resources: strict({ requests: amounts, limits: amounts }),
  affinity: strict({
    enablePodAntiAffinity: z.boolean(),
    topologyKey: z.string(),
    podAntiAffinityType: z.enum(['preferred', 'required']),
  }),
  plugins: z.array(strict({ name: z.string(), isWALArchiver: z.boolean(), parameters: texts })).optional(),
});
const database = strict({
  cluster: named,
  name: z.string(),
  owner: z.string(),
  ensure: z.enum(['present', 'absent']),
  databaseReclaimPolicy: z.enum(['retain', 'delete']),
});
const scheduledBackup = strict({
  schedule: z.string().regex(/^(\S+ ){5}\S+$/),
  backupOwnerReference: z.enum(['none', 'self', 'cluster']),
  cluster: named,
  method: z.enum(['barmanObjectStore', 'volumeSnapshot', 'plugin']),
  pluginConfiguration: named,
  immediate: z.boolean(),
});
const compression = strict({ compression: z.enum(['bzip2', 'gzip', 'snappy']) });
const objectStore = strict({
  retentionPolicy: z.string().regex(/^[1-9][0-9]*[dwm]$/),
  configuration: strict({
    destinationPath: z.string().min(1),
    endpointURL: z.string().optional(),
    s3Credentials: strict({ accessKeyId: key, secretAccessKey: key }),
    wal: compression,
    data: compression,
  }),
});

const gateway = strict({
  gatewayClassName: z.string().min(1),
  listeners: z.array(
    strict({
      name,
      protocol: z.enum(['HTTP', 'HTTPS']),
      port: z.int(),
      hostname: z.string(),
      tls: strict({
        mode: z.enum(['Terminate']),
        certificateRefs: z.array(strict({ kind: z.string(), name })),
      }).optional(),
    }),
  ),
});
const route = strict({
  parentRefs: z.array(strict({ name, namespace: name.optional(), sectionName: name.optional() })).min(1),
  hostnames: z.array(z.string()),
  rules: z.array(
    strict({
      filters: z
        .array(
          strict({
            type: z.enum(['RequestRedirect']),
            requestRedirect: strict({ scheme: z.enum(['https']), statusCode: z.int() }),
          }),
        )
        .optional(),
      backendRefs: z.array(strict({ name, port: z.int() })).optional(),
    }),
  ),
});
const serviceMonitor = strict({
  selector: strict({ matchLabels: texts }),
  endpoints: z.array(strict({ port: z.string(), path: z.string(), interval: z.string() })),
});
const prometheusRule = strict({
  groups: z.array(
    strict({
      name: z.string(),
      rules: z.array(
        strict({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: texts,
          annotations: strict({ summary: z.string() }),
        }),
      ),
    }),
  ),
});
const externalSecret = strict({
  refreshInterval: z.string(),
  secretStoreRef: strict({ kind: z.enum(['SecretStore', 'ClusterSecretStore']), name }),
  target: strict({ name, creationPolicy: z.enum(['Owner']) }),
  dataFrom: z.array(strict({ extract: strict({ key: z.string() }) })),
});

const SPECS: Readonly<Record<string, z.ZodType>> = {
  Cluster: cluster,
  Database: database,
  ScheduledBackup: scheduledBackup,
  ObjectStore: objectStore,
  Gateway: gateway,
  HTTPRoute: route,
  ServiceMonitor: serviceMonitor,
  PrometheusRule: prometheusRule,
  ExternalSecret: externalSecret,
};
const metadata = strict({ name, labels: texts.optional(), annotations: texts.optional() });

/** Returns the unknown, missing and wrong fields of a custom resource. */
export function customFields(object: Manifest): string[] {
  const spec = SPECS[object.kind];
  if (!spec) return [`${titleOf(object)}: custom-fields.ts does not list the fields of ${object.kind}.`];
  const whole = strict({ apiVersion: z.string(), kind: z.string(), metadata, spec });
  const { error } = whole.safeParse(object);
  return (error?.issues ?? []).flatMap((issue) => {
    const path = issue.path.join('.');
    if (issue.code !== 'unrecognized_keys') return [`${titleOf(object)}: ${path} is not valid (${issue.code}).`];
    return issue.keys.map((field) => `${titleOf(object)}: the field ${path}.${field} does not exist.`);
  });
}
