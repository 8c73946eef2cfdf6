import { z } from 'zod';

/** A setting that is a whole number, written in digits. */
export const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,15}$/.test(text) && Number(text) >= from && Number(text) <= to,
      `write a whole number from ${from} to ${to}`,
    )
    .transform(Number);

/** A setting that is an address like the example. */
export const address = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `write an address like ${example}` });

const Port = wholeNumber(0, 65_535);
const Word = z.string().min(1, 'write something, or leave it out');
const HostAndPort = z.string().regex(/^[^:]+:\d+$/, 'write host:port');
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
const A_DAY_MS = 86_400_000;

/** The settings that every process reads from its environment. */
export const processSettings = {
  HOST: z.string().default('127.0.0.1'),
  OPERATIONS_PORT: Port,
  NATS_URL: address(/^(nats|tls|wss?)$/, 'nats://127.0.0.1:4222'),
  /** A file that says who this process is to NATS: `name:password`, or what nsc writes (.creds). */
  NATS_CREDENTIALS: Word.optional(),
  KEYS_DIR: Word,
  LOG_LEVEL: z.enum(LEVELS, `choose one of ${LEVELS.join(', ')}`).default('info'),
  /** How long a process keeps serving after its readiness went off, so that the balancer notices first. */
  SHUTDOWN_GRACE_MS: wholeNumber(0, A_DAY_MS).default(5_000),
  /** Every deadline between the parts of the suite is so many times as long: for machines that are slow, not broken. */
  DEADLINE_FACTOR: wholeNumber(1, 100).default(1),
};

/**
 * A deadline on this machine: `ms` of an ordinary one, times `DEADLINE_FACTOR`. All grow together, so that the inner ones still
 * end before those around them. That the factor makes sense is checked where a process reads its settings.
 */
export const deadline = (ms: number, { DEADLINE_FACTOR = '1' }: NodeJS.ProcessEnv = process.env): number =>
  ms * Number(DEADLINE_FACTOR);

/** The login of a process at its database. */
export const databaseSettings = {
  /** The login of the machinery: relay, inbox, schedules, look-ups beyond one workspace, and migrations. */
  DATABASE_URL: address(/^postgres(ql)?$/, 'postgres://user:password@host:5432/name'),
  /** The login of requests, where it is not that of DATABASE_URL with `_requests` behind its name. */
  DATABASE_REQUESTS_URL: address(/^postgres(ql)?$/, 'postgres://user_requests:password@host:5432/name').optional(),
};

/** The address by which requests come into a database: with a login that has no right of its own. */
export function requestsUrl({ DATABASE_URL, DATABASE_REQUESTS_URL }: DatabaseSettings): string {
  if (DATABASE_REQUESTS_URL) return DATABASE_REQUESTS_URL;
  const url = new URL(DATABASE_URL);
  url.username += '_requests';
  return url.href;
}

/** The settings of every service, beside those. */
const serviceSettings = {
  ...processSettings,
  HTTP_PORT: Port,
  GRPC_PORT: Port,
  ...databaseSettings,
  /** Connections for requests and for the effects of events; the machinery has up to four more. */
  DATABASE_CONNECTIONS: wholeNumber(1, 1_000).default(8),
  /** How long work waits for one of them, until it is told that the service is busy. */
  DATABASE_WAIT_MS: wholeNumber(100, 60_000).default(2_000),
  FILES_DIR: Word,
  /** Endpoint that scans each received file: it gets the bytes by POST, and answers 2xx, or 403, 406, 409 or 422 to refuse the file. */
  FILE_SCAN_URL: address(/^https?$/, 'http://scanner.internal:8080/scan').optional(),
  FILE_SCAN_TIMEOUT_MS: wholeNumber(100, 120_000).default(10_000),
  /** Effect of a scan that fails: the upload is refused with 503, or accepted unscanned. */
  FILE_SCAN_ON_FAILURE: z.enum(['refuse', 'accept']).default('refuse'),
  /** The mail server; without it, messages are kept as files in MAIL_DIR. */
  SMTP_URL: address(/^smtps?$/, 'smtps://user:password@mail.example.com').optional(),
  MAIL_DIR: Word.optional(),
  MAIL_FROM: z.string().default('Suite <suite@localhost>'),
  /** The gateway's address as users see it; links in mails begin with it. */
  PUBLIC_URL: address(/^https?$/, 'https://suite.example.com'),
  /** Hosts in networks of the operator's own that integrations may call, also without TLS: `dav.internal,10.0.0.7`. */
  OUTGOING_TRUSTED_HOSTS: z
    .string()
    .default('')
    .transform((hosts) =>
      hosts
        .toLowerCase()
        .split(',')
        .flatMap((host) => host.trim() || []),
    ),
};

export type DatabaseSettings = z.output<z.ZodObject<typeof databaseSettings>>;

export type ServiceConfig = z.output<z.ZodObject<typeof serviceSettings>> & {
  /** host:port of the gRPC servers of the services that this one calls. */
  addresses: Record<string, string>;
};

/** Settings with which a process cannot run. Its message is one sentence with all of them. */
export class BadSettings extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The settings are not right: ${faults.join('; ')}.`);
    this.faults = faults;
  }
}

/**
 * Reads settings from an environment.
 * @param others what is known to be wrong beside that, to be said with the rest
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
 * Reads the settings of a process. Started with `--check-settings`, the process ends here: each mistake is
 * a line on the error stream, and nothing was opened.
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

/** Reads a service's settings. @param calls the services that it calls: each needs `RPC_<NAME>`, a host and port */
export function serviceConfig(calls: string[], environment: NodeJS.ProcessEnv = process.env): ServiceConfig {
  const names = calls.map((name) => [name, `RPC_${name.toUpperCase()}`] as const);
  const settings = readSettings(
    { ...serviceSettings, ...Object.fromEntries(names.map(([, variable]) => [variable, HostAndPort])) },
    environment,
    environment['SMTP_URL'] || environment['MAIL_DIR'] !== undefined ? [] : ['SMTP_URL or MAIL_DIR is missing'],
  );
  const read = settings as unknown as Record<string, string>;
  return {
    ...(settings as unknown as ServiceConfig),
    addresses: Object.fromEntries(names.map(([name, variable]) => [name, read[variable]!])),
  };
}
