import { z } from 'zod';

const Port = z.coerce.number().pipe(z.int().min(0).max(65_535));

/** What every process reads from its environment. */
export const processSettings = {
  HOST: z.string().default('127.0.0.1'),
  OPERATIONS_PORT: Port,
  NATS_URL: z.url(),
  /** A file that says who this process is to NATS: `name:password`, or what nsc writes (.creds). */
  NATS_CREDENTIALS: z.string().min(1).optional(),
  KEYS_DIR: z.string().min(1),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** How long a process keeps serving after its readiness went off, so that the balancer notices first. */
  SHUTDOWN_GRACE_MS: z.coerce.number().pipe(z.int().min(0)).default(5_000),
};

/** Who a process is to its database. */
export const databaseSettings = {
  /** The login of the machinery: relay, inbox, schedules, look-ups beyond one workspace, and migrations. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  /** The login of requests, where it is not that of DATABASE_URL with `_requests` behind its name. */
  DATABASE_REQUESTS_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
};

/** The address by which requests come into a database: with a login that has no right of its own. */
export function requestsUrl({ DATABASE_URL, DATABASE_REQUESTS_URL }: DatabaseSettings): string {
  if (DATABASE_REQUESTS_URL) return DATABASE_REQUESTS_URL;
  const url = new URL(DATABASE_URL);
  url.username += '_requests';
  return url.href;
}

/** What every service reads beside that. */
const serviceSettings = {
  ...processSettings,
  HTTP_PORT: Port,
  GRPC_PORT: Port,
  ...databaseSettings,
  /** Connections for requests and for the effects of events; the machinery has up to four more. */
  DATABASE_CONNECTIONS: z.coerce.number().pipe(z.int().min(1)).default(8),
  FILES_DIR: z.string().min(1),
  /** Where mail goes; without it, messages are kept as files in MAIL_DIR. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_DIR: z.string().min(1).optional(),
  MAIL_FROM: z.string().default('Suite <suite@localhost>'),
  /** The gateway's address as users see it; links in mails begin with it. */
  PUBLIC_URL: z.url(),
};

export type DatabaseSettings = z.output<z.ZodObject<typeof databaseSettings>>;

export type ServiceConfig = z.output<z.ZodObject<typeof serviceSettings>> & {
  /** host:port of the gRPC servers of the services that this one calls. */
  addresses: Record<string, string>;
};

/** Reads settings from an environment. @throws an Error that says in one sentence what is missing or wrong */
export function readSettings<Shape extends z.ZodRawShape>(
  shape: Shape,
  environment: NodeJS.ProcessEnv = process.env,
): z.output<z.ZodObject<Shape>> {
  const result = z.object(shape).safeParse(environment);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    return environment[name] === undefined ? `${name} is missing` : `${name} is not valid (${message})`;
  });
  throw new Error(`The configuration is not complete: ${faults.join('; ')}.`);
}

/** Reads a service's settings. @param calls the services that it calls: each needs `RPC_<NAME>`, a host and port */
export function serviceConfig(calls: string[], environment: NodeJS.ProcessEnv = process.env): ServiceConfig {
  const address = z.string().regex(/^[^:]+:\d+$/, 'write host:port');
  const names = calls.map((name) => [name, `RPC_${name.toUpperCase()}`] as const);
  const settings = readSettings(
    { ...serviceSettings, ...Object.fromEntries(names.map(([, variable]) => [variable, address])) },
    environment,
  );
  const read = settings as unknown as Record<string, string>;
  if (!read['SMTP_URL'] && !read['MAIL_DIR'])
    throw new Error('The configuration is not complete: SMTP_URL or MAIL_DIR is missing.');
  return {
    ...(settings as unknown as ServiceConfig),
    addresses: Object.fromEntries(names.map(([name, variable]) => [name, read[variable]!])),
  };
}
