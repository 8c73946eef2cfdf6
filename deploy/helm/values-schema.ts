/**
 * Writes deploy/helm/suite/values.schema.json, which Helm checks before it renders anything. Helm prints one line for each
 * wrong value, so no schema here has alternatives (`anyOf`), which Helm reports one by one.
 */
import type { JsonSchema } from '@suite/api-docs';

/** JSON schemas of the settings, by the processes that read them. */
export interface SettingGroups {
  processes: Record<string, JsonSchema>;
  services: Record<string, JsonSchema>;
  gateway: Record<string, JsonSchema>;
  /** Settings that only one service reads, by its name. */
  own: Readonly<Record<string, Record<string, JsonSchema>>>;
}

/** Settings that the chart itself sets, from other values. */
const OF_THE_CHART = new Set([
  'HOST',
  'OPERATIONS_PORT',
  'NATS_URL',
  'NATS_CREDENTIALS',
  'KEYS_DIR',
  'PUBLIC_URL',
  'HTTP_PORT',
  'GRPC_PORT',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REQUESTS_URL',
  'FILES_DIR',
  'MAIL_DIR',
  'PORT',
  'RPC_PLATFORM',
]);

const object = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...(required.length > 0 && { required }),
});
const whole = (minimum: number, maximum: number): JsonSchema => ({ type: 'integer', minimum, maximum });
const choice = (...words: readonly (string | number)[]): JsonSchema => ({ enum: words });
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const text: JsonSchema = { type: 'string' };
const someText: JsonSchema = { type: 'string', minLength: 1 };
const flag: JsonSchema = { type: 'boolean' };
/** A part that the schema defines once. */
const ref = (definition: string): JsonSchema => ({ $ref: `#/definitions/${definition}` });
/**
 * Returns a schema whose message is a phrase instead of a pattern.
 * @param phrase completes "value must be"
 */
const must = (schema: JsonSchema, phrase: string): JsonSchema => ({ if: schema, else: { const: phrase } });
const matching = (pattern: string, phrase: string): JsonSchema => must({ type: 'string', pattern }, phrase);
const texts: JsonSchema = { type: 'object', additionalProperties: text };
/** A part of an object of Kubernetes, which the server checks. */
const anyObject: JsonSchema = { type: 'object' };
const quantity = must(
  { type: ['string', 'number'], pattern: String.raw`^[0-9]+(\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi|T|Ti)?$` },
  'an amount such as 500m or 10Gi',
);
/** The name of an object of Kubernetes. It may begin with the name of the release. */
const NAME = String.raw`(\{\{ \.Release\.Name \}\}-|[a-z0-9])([-.a-z0-9]*[a-z0-9])?`;
const name = matching(`^${NAME}$`, 'a name such as suite-crm-keys');
const optionalName = matching(`^(${NAME})?$`, 'empty, or a name such as vault');
const port = whole(1, 65_535);
const amounts = object({ cpu: ref('quantity'), memory: ref('quantity') });
const resources = object({ requests: amounts, limits: amounts });
const storage = object({ size: ref('quantity'), storageClass: text });
const { type: _, ...secretKey } = object({ secret: ref('name'), key: ref('someText') }, ['secret', 'key']);

/** Returns the schema of a setting in values: a value, or the key of a Secret. Passwords are in Secrets only. */
function settingSchema({ secret, description, examples, ...value }: JsonSchema): JsonSchema {
  // Numbers and words contain no secrets, and templates calculate with numbers.
  if (value['type'] === 'integer' || value['enum']) return { description, ...value };
  const [example] = (examples ?? []) as string[];
  const literal = example ? must(value, `an address such as ${example}`) : value;
  const others = secret ? { const: 'the key of a Secret, such as {secret: smtp, key: url}' } : literal;
  // `properties` and `required` apply to objects only.
  return { description, ...secretKey, if: { type: 'object' }, else: others };
}

const isSettable = ([variable]: [string, JsonSchema]): boolean => !OF_THE_CHART.has(variable);

/** Returns the definitions of settings. The chart sets the rest. */
const settingSchemas = (group: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(group)
      .filter(isSettable)
      .map(([variable, schema]) => [variable, settingSchema(schema)]),
  );

/** Returns the schema of an object with settings. */
function settingsObject(groups: readonly Record<string, JsonSchema>[]): JsonSchema {
  const variables = groups.flatMap((group) => Object.entries(group).filter(isSettable));
  return object(Object.fromEntries(variables.map(([variable]) => [variable, ref(variable)])));
}

const autoscaling = object({
  enabled: flag,
  minReplicas: whole(1, 100),
  maxReplicas: whole(1, 100),
  cpuPercent: whole(1, 100),
});

/** Values of a process. */
const process: Record<string, JsonSchema> = {
  replicas: whole(1, 100),
  autoscaling,
  resources,
  masterKeys: { ...list(matching('^[0-9a-z-]+$', 'the number of a key such as 001')), minItems: 1 },
  podAnnotations: texts,
  nodeSelector: texts,
  tolerations: list(anyObject),
  affinity: anyObject,
  priorityClassName: text,
  egress: list(anyObject),
};

const nats = object({
  enabled: flag,
  url: matching('^(|(nats|tls|wss?)://.+)$', 'an address such as nats://events.example.com:4222'),
  replicas: choice(1, 3),
  image: someText,
  usersSecret: ref('optionalName'),
  storage: ref('storage'),
  resources: ref('resources'),
});

const postgres = object({
  kind: choice('external', 'single', 'cluster', 'cluster-per-service'),
  instances: whole(1, 9),
  image: someText,
  storage: ref('storage'),
  resources: ref('resources'),
  operatorNamespace: ref('name'),
  backup: object({
    enabled: flag,
    destinationPath: matching('^(|s3://.+)$', 'a bucket and folder such as s3://backups/suite'),
    endpointURL: matching('^(|https?://.+)$', 'an address such as https://s3.example.com'),
    secret: ref('name'),
    retention: matching('^[1-9][0-9]*[dwm]$', 'a number of days, weeks or months such as 30d'),
    schedule: matching(
      String.raw`^(\S+ ){5}\S+$`,
      'six fields from seconds to the day of the week, such as 0 30 2 * * *',
    ),
  }),
});

const route = object({
  enabled: flag,
  parentRefs: list(anyObject),
  gateway: object({ create: flag, className: text, tlsSecret: ref('name'), annotations: texts }),
});

const image = object({
  registry: text,
  tag: text,
  pullPolicy: choice('Always', 'IfNotPresent', 'Never'),
  pullSecrets: list(ref('name')),
});

const externalSecrets = object({
  enabled: flag,
  refreshInterval: someText,
  store: object({ kind: choice('SecretStore', 'ClusterSecretStore'), name: ref('optionalName') }),
  prefix: text,
});

const peers = list(anyObject);
/** Without a port, a rule would allow all ports. */
const ports = { ...list(port), minItems: 1 };
const networkPolicy = object({
  enabled: flag,
  dns: object({ namespace: ref('name'), podLabels: texts }),
  clients: peers,
  postgres: object({ ports, to: peers }),
  nats: object({ port, to: peers }),
  smtp: object({ ports, to: peers }),
  s3: object({ ports, to: peers }),
});

/** Parts that the schema repeats. */
const DEFINITIONS = { quantity, name, optionalName, someText, storage, ...process };
/** The values of a process, as references to their definitions. */
const processRefs = Object.fromEntries(Object.keys(process).map((field) => [field, ref(field)]));

const files = object({
  size: ref('quantity'),
  storageClass: text,
  accessMode: choice('ReadWriteOnce', 'ReadWriteMany'),
  s3: object({ secret: ref('optionalName'), serviceAccountAnnotations: texts }),
});

/**
 * Returns the JSON schema of the values.
 * @param services the names of the services
 */
export function valuesSchema(services: readonly string[], settings: SettingGroups): JsonSchema {
  const { processes, services: ofServices, gateway, own } = settings;
  const service = (name: string) =>
    object({
      ...processRefs,
      settings: settingsObject([processes, ofServices, own[name] ?? {}]),
      keysSecret: ref('name'),
      databaseSecret: ref('name'),
    });
  const front = object({ ...processRefs, settings: settingsObject([processes, gateway]), keysSecret: ref('name') });
  const ofProcess = (name: string) => (Object.keys(own[name] ?? {}).length > 0 ? service(name) : ref('service'));
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the suite. Written by `npm run generate`.',
    definitions: {
      ...DEFINITIONS,
      service: service(''),
      ...settingSchemas(Object.assign({}, processes, ofServices, gateway, ...Object.values(own)) as typeof processes),
    },
    ...object(
      {
        publicUrl: matching('^https?://[^/]+/?$', 'an address such as https://suite.example.com'),
        checkSecrets: flag,
        image,
        settings: object({
          processes: settingsObject([processes]),
          services: settingsObject([ofServices]),
          gateway: settingsObject([gateway]),
        }),
        process: object(processRefs),
        processes: object({
          gateway: front,
          ...Object.fromEntries(services.map((name) => [name, ofProcess(name)])),
        }),
        files,
        nats,
        postgres,
        route,
        monitoring: object({ enabled: flag, namespace: ref('name'), interval: someText, labels: texts }),
        networkPolicy,
        externalSecrets,
      },
      ['publicUrl'],
    ),
  };
}
