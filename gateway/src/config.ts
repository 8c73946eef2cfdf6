/** What the gateway reads from its environment, once. */
import { processSettings, readSettings } from '@suite/chassis/gateway';
import { z } from 'zod';
import { type PolicyName, policies } from './limits.ts';

const Upstream = z.url({ protocol: /^http$/ });
const limitNames = Object.keys(policies) as [PolicyName, ...PolicyName[]];

const settings = {
  ...processSettings,
  PORT: z.coerce.number().pipe(z.int().min(0).max(65_535)),
  /** Where platform answers gRPC. */
  RPC_PLATFORM: z.string().regex(/^[^:]+:\d+$/, 'write host:port'),
  /** Counts rate limits together with other gateways; without it, this process counts alone. */
  RATE_LIMIT_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Other limits than the published ones, as JSON: `{"token": 6000}`. */
  RATE_LIMITS: z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue('write JSON');
        return z.NEVER;
      }
    })
    .pipe(z.partialRecord(z.enum(limitNames), z.int().min(1)))
    .default({}),
  /** How many proxies of ours stand in front. */
  TRUST_PROXY: z.coerce.number().pipe(z.int().min(0).max(10)).default(0),
  /** How many of the 4 096 connections one address may have. Not counted behind proxies of ours, whose connections they are. */
  CONNECTIONS_PER_ADDRESS: z.coerce.number().pipe(z.int().min(1).max(4_096)).default(512),
  /** Sites whose scripts may call the suite, separated by commas: `https://app.example.com`, `http://localhost:*` for any port. */
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform((list) => list.split(',').map((origin) => origin.trim()))
    .transform((list) => list.filter(Boolean))
    .pipe(z.array(z.string().refine(isOrigin, 'write origins like https://app.example.com or http://localhost:*'))),
};

function isOrigin(text: string): boolean {
  const origin = text.replace(/:\*$/, '');
  return /^https?:[^*]+$/.test(origin) && URL.parse(origin)?.origin === origin;
}

export type GatewayConfig = z.output<z.ZodObject<typeof settings>> & {
  /** Service → `http://host:port`. */
  upstreams: Record<string, string>;
};

/**
 * Reads the configuration. Each service that has routes needs `UPSTREAM_<NAME>`.
 * @throws an Error that says in one sentence what is missing or wrong
 */
export function gatewayConfig(
  services: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): GatewayConfig {
  const names = services.map((service) => [service, `UPSTREAM_${service.toUpperCase()}`] as const);
  const shape = Object.fromEntries(names.map(([, variable]) => [variable, Upstream]));
  const read = readSettings({ ...settings, ...shape }, environment) as unknown as GatewayConfig &
    Record<string, string>;
  return {
    ...read,
    upstreams: Object.fromEntries(names.map(([service, variable]) => [service, read[variable] ?? ''])),
  };
}
