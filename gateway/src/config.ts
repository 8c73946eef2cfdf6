/** Gateway settings, read once from the environment. */
import {
  address,
  HostAndPort,
  Port,
  processSettings,
  PublicUrl,
  readSettings,
  SECRET,
  wholeNumber,
} from '@suite/chassis/gateway';
import { z } from 'zod';
import { type PolicyName, policies } from './limits/policies.ts';

const Upstream = address(/^http$/, 'http://127.0.0.1:4010');
const limitNames = Object.keys(policies);

/** Settings of the gateway, in addition to the process settings. */
export const gatewaySettings = {
  PORT: Port.describe('Port of the API.'),
  PUBLIC_URL: PublicUrl.optional().describe('Address of the gateway as users see it, for links in errors.'),
  RPC_PLATFORM: HostAndPort.describe('Host and gRPC port of platform.'),
  RATE_LIMIT_DATABASE_URL: address(/^postgres(ql)?$/, 'postgres://user:password@host:5432/name')
    .optional()
    .describe('Database in which all gateways count requests together. Without it, each gateway counts on its own.')
    .meta(SECRET),
  RATE_LIMITS: z
    .string()
    .transform(readLimits)
    .default({})
    .describe('Limits that replace the published ones: `{"token": 6000}`.'),
  TRUST_PROXY: wholeNumber(0, 10).default(0).describe('Number of your own proxies in front of the gateway.'),
  CONNECTIONS_PER_ADDRESS: wholeNumber(1, 4_096)
    .default(512)
    .describe('Connections per IP address, of 4,096 in total. Unlimited behind your own proxies.'),
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform((list) => list.split(',').map((origin) => origin.trim()))
    .transform((list) => list.filter(Boolean))
    .pipe(z.array(z.string().refine(isOrigin, 'write origins like https://app.example.com or http://localhost:*')))
    .describe(
      'Sites whose scripts may call the API, separated by commas: `https://app.example.com`. `http://localhost:*` allows any port.',
    ),
};

/** Parses the limits and names the invalid ones. */
function readLimits(text: string, context: z.RefinementCtx): Partial<Record<PolicyName, number>> {
  const limits = parseJson(text);
  if (typeof limits !== 'object' || limits === null || Array.isArray(limits)) {
    context.addIssue('write JSON like {"token": 6000}');
    return z.NEVER;
  }
  for (const [name, limit] of Object.entries(limits)) {
    if (!limitNames.includes(name)) context.addIssue(`unknown limit "${name}"; use ${limitNames.join(', ')}`);
    else if (!Number.isSafeInteger(limit) || limit < 1)
      context.addIssue(`"${name}" must be a whole number of at least 1`);
  }
  return limits;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isOrigin(text: string): boolean {
  const origin = text.replace(/:\*$/, '');
  return /^https?:[^*]+$/.test(origin) && URL.parse(origin)?.origin === origin;
}

export type GatewayConfig = z.output<z.ZodObject<typeof processSettings & typeof gatewaySettings>> & {
  /** Service → `http://host:port`. */
  upstreams: Record<string, string>;
};

/**
 * Reads the configuration. Each service with routes requires `UPSTREAM_<NAME>`.
 * @throws an Error that names the missing or invalid setting in one sentence
 */
export function gatewayConfig(
  services: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): GatewayConfig {
  const names = services.map((service) => [service, `UPSTREAM_${service.toUpperCase()}`] as const);
  const shape = Object.fromEntries(names.map(([, variable]) => [variable, Upstream]));
  const read = readSettings(
    { ...processSettings, ...gatewaySettings, ...shape },
    environment,
  ) as unknown as GatewayConfig & Record<string, string>;
  return {
    ...read,
    upstreams: Object.fromEntries(names.map(([service, variable]) => [service, read[variable] ?? ''])),
  };
}
