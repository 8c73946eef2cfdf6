import { z } from 'zod';

/** Returns the schema of a setting with a whole number in digits. */
export const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,15}$/.test(text) && Number(text) >= from && Number(text) <= to,
      `write a whole number from ${from} to ${to}`,
    )
    .meta({ type: 'integer', minimum: from, maximum: to })
    .transform(Number);

/**
 * Returns the schema of a setting with a URL like the example.
 * @param protocol the whole protocol, such as `/^https?$/`
 */
export const address = (protocol: RegExp, example: string) =>
  z
    .url({ protocol, error: `write an address like ${example}` })
    .meta({ pattern: `${protocol.source.replace(/\$$/, '')}://`, examples: [example] });

/** Marks a setting that contains a password or key. Deployments store it apart from other settings. */
export const SECRET = { secret: true };

/** The addresses of the servers of one NATS cluster, separated by commas. */
const NatsServers = z
  .string()
  .refine(
    (text) => text.split(',').every((url) => address(/^(nats|tls|wss?)$/, '').safeParse(url).success),
    'write an address like nats://127.0.0.1:4222, or several separated by commas',
  );

export const Port = wholeNumber(0, 65_535);
const Word = z.string().min(1, 'write something, or leave it out');
export const HostAndPort = z.string().regex(/^[^:]+:\d+$/, 'write host:port');
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
const A_DAY_MS = 86_400_000;

/** The settings that every process reads from its environment. */
export const processSettings = {
  HOST: z.string().default('127.0.0.1').describe('Address on which the process listens.'),
  OPERATIONS_PORT: Port.describe('Port of `/health/live`, `/health/ready` and `/metrics`.'),
  NATS_URL: NatsServers.describe('Address of NATS, or the addresses of a cluster separated by commas.'),
  NATS_CREDENTIALS: Word.optional().describe(
    'File that identifies the process to NATS: `name:password`, or the output of `nsc` (.creds).',
  ),
  KEYS_DIR: Word.describe('Folder with the keys of the process.'),
  LOG_LEVEL: z
    .enum(LEVELS, `choose one of ${LEVELS.join(', ')}`)
    .default('info')
    .describe(`Lowest level of logged lines: ${LEVELS.join(', ')}.`),
  SHUTDOWN_GRACE_MS: wholeNumber(0, A_DAY_MS)
    .default(5_000)
    .describe(
      'Time for which the process keeps serving after it reports that it is not ready, so that load balancers notice.',
    ),
  DEADLINE_FACTOR: wholeNumber(1, 100)
    .default(1)
    .describe('Factor for every deadline, for slow machines. The same for all processes.'),
};

/**
 * Returns a deadline for this machine, in milliseconds: `ms` times `DEADLINE_FACTOR`. All deadlines grow together, so
 * that inner ones still end before outer ones. The settings of each process check the factor.
 */
export const deadline = (ms: number, { DEADLINE_FACTOR = '1' }: NodeJS.ProcessEnv = process.env): number =>
  ms * Number(DEADLINE_FACTOR);

/** The address of the gateway as users see it, without a slash at the end. Links in e-mails begin with it. */
export const PublicUrl = address(/^https?$/, 'https://suite.example.com')
  .transform((url) => (url.endsWith('/') ? url.slice(0, -1) : url))
  .describe('Address of the gateway as users see it. Links in e-mails begin with it.');

/** The database settings of a process. */
export const databaseSettings = {
  DATABASE_URL: address(/^postgres(ql)?$/, 'postgres://user:password@host:5432/name').describe(
    'Connection for internal work: events, schedules, look-ups beyond one workspace, and migrations.',
  ),
  DATABASE_DIRECT_URL: address(/^postgres(ql)?$/, 'postgres://user:password@host:5432/name')
    .optional()
    .describe('Connection for migrations, past a pooler such as PgBouncer. By default `DATABASE_URL`.'),
  DATABASE_REQUESTS_URL: address(/^postgres(ql)?$/, 'postgres://user_requests:password@host:5432/name')
    .optional()
    .describe('Connection for requests. By default the login of `DATABASE_URL` with the suffix `_requests`.'),
};

/** Returns the database address for requests, whose login has no rights of its own. */
export function requestsUrl({ DATABASE_URL, DATABASE_REQUESTS_URL }: DatabaseSettings): string {
  if (DATABASE_REQUESTS_URL) return DATABASE_REQUESTS_URL;
  const url = new URL(DATABASE_URL);
  url.username += '_requests';
  return url.href;
}

/** Settings of every service, in addition to the process settings. */
export const serviceSettings = {
  HTTP_PORT: Port.describe('Port for requests from the gateway.'),
  GRPC_PORT: Port.describe('Port for calls from other services.'),
  ...databaseSettings,
  DATABASE_CONNECTIONS: wholeNumber(1, 1_000)
    .default(8)
    .describe('Database connections for requests and events. Internal work uses up to 4 more.'),
  DATABASE_WAIT_MS: wholeNumber(100, 60_000)
    .default(2_000)
    .describe('Longest wait for a connection, times `DEADLINE_FACTOR`. After that, requests receive 503.'),
  JOURNAL_CHANGES_DAYS: wholeNumber(1, 36_500)
    .default(3_650)
    .describe('Retention of the recorded changes of records, in days. Whole months are deleted.'),
  JOURNAL_EVENTS_DAYS: wholeNumber(7, 3_650)
    .default(30)
    .describe('Retention of published events in the journal, in days. Whole months are removed.'),
  DISCARDED_FILES_DAYS: wholeNumber(0, 3_650)
    .default(14)
    .describe(
      'Days for which the file of a deleted record stays in storage, so that a restored database finds it. At least the days for which you can restore, or 0 if the storage itself keeps deleted files, such as a bucket with versions.',
    ),
  NATS_REPLICAS: wholeNumber(1, 5)
    .optional()
    .describe(
      'Number of NATS servers that keep each event. Also changes existing streams. Without it, a new stream is kept on one server.',
    ),
  FILES_DIR: Word.describe(
    'Folder with uploaded and generated files, shared by all replicas of a service. With `FILES_S3_BUCKET`, only for uploads that are not checked yet.',
  ),
  FILES_S3_BUCKET: Word.optional().describe(
    'Bucket of S3 for the files of all services, each in a folder with its name. The AWS SDK reads the credentials, such as `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.',
  ),
  FILES_S3_ENDPOINT: address(/^https?$/, 'https://s3.internal:9000')
    .optional()
    .describe('Address of an S3 server other than AWS.'),
  FILES_S3_REGION: Word.optional().describe('Region of the bucket. By default `AWS_REGION`.'),
  FILE_SCAN_URL: address(/^https?$/, 'http://scanner.internal:8080/scan')
    .optional()
    .describe('Endpoint that scans each received file. Without it, files are not scanned.'),
  FILE_SCAN_TIMEOUT_MS: wholeNumber(100, 120_000).default(10_000).describe('Longest wait for the scanner.'),
  FILE_SCAN_ON_FAILURE: z
    .enum(['refuse', 'accept'])
    .default('refuse')
    .describe('`refuse` rejects files with 503 while the scanner fails. `accept` stores them unscanned.'),
  SMTP_URL: address(/^smtps?$/, 'smtps://user:password@mail.example.com')
    .optional()
    .describe('SMTP server. Without it, `MAIL_DIR` is required.')
    .meta(SECRET),
  MAIL_DIR: Word.optional().describe('Folder for e-mails, if there is no `SMTP_URL`.'),
  MAIL_FROM: z.string().default('Suite <suite@localhost>').describe('Sender of e-mails.'),
  PUBLIC_URL: PublicUrl,
  OUTGOING_TRUSTED_HOSTS: z
    .string()
    .default('')
    .transform((hosts) =>
      hosts
        .toLowerCase()
        .split(',')
        .flatMap((host) => host.trim() || []),
    )
    .describe('Hosts in your own networks that integrations may call, even without TLS: `dav.internal,10.0.0.7`.'),
};

export type DatabaseSettings = z.output<z.ZodObject<typeof databaseSettings>>;

export type ServiceConfig = z.output<z.ZodObject<typeof processSettings & typeof serviceSettings>> & {
  /** The host:port of each gRPC server that this service calls. */
  addresses: Record<string, string>;
};

/** Invalid settings that prevent a process from running. The message lists all faults in one sentence. */
export class BadSettings extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The settings are not right: ${faults.join('; ')}.`);
    this.faults = faults;
  }
}

/**
 * Reads settings from an environment.
 * @param others other known faults, to be reported together
 * @throws BadSettings
 */
export function readSettings<Shape extends z.ZodRawShape>(
  shape: Shape,
  environment: NodeJS.ProcessEnv = process.env,
  others: readonly string[] = [],
): z.output<z.ZodObject<Shape>> {
  const result = z.object(shape).safeParse(environment);
  if (result.success && others.length === 0) return result.data;
  const faults = (result.error?.issues ?? []).map(({ path, message }) => {
    const name = String(path[0]);
    return environment[name] === undefined ? `${name} is missing` : `${name} is not valid (${message})`;
  });
  throw new BadSettings([...faults, ...others]);
}

/**
 * Reads the settings of a process. With `--check-settings`, the process ends here without opening anything, and prints
 * one line per error to the error stream.
 */
export function settingsOf<T>(read: () => T, words: readonly string[] = process.argv.slice(2)): T {
  if (!words.includes('--check-settings')) return read();
  try {
    read();
  } catch (error) {
    if (!(error instanceof BadSettings)) throw error;
    process.stderr.write(`${error.faults.join('\n')}\n`);
    process.exit(1);
  }
  process.exit(0);
}

/** Reads a service's settings. @param calls the services that it calls: each needs `RPC_<NAME>` with host and port */
export function serviceConfig(calls: string[], environment: NodeJS.ProcessEnv = process.env): ServiceConfig {
  const names = calls.map((name) => [name, `RPC_${name.toUpperCase()}`] as const);
  const settings = readSettings(
    {
      ...processSettings,
      ...serviceSettings,
      ...Object.fromEntries(names.map(([, variable]) => [variable, HostAndPort])),
    },
    environment,
    environment['SMTP_URL'] || environment['MAIL_DIR'] !== undefined ? [] : ['SMTP_URL or MAIL_DIR is missing'],
  );
  const read = settings as unknown as Record<string, string>;
  return {
    ...(settings as unknown as ServiceConfig),
    addresses: Object.fromEntries(names.map(([name, variable]) => [name, read[variable]!])),
  };
}
