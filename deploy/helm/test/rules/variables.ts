/** Checks the environment of each container with the settings that its program reads. */
import type { V1Container, V1EnvVar } from '@kubernetes/client-node';
import { processSettings, serviceSettings } from '@suite/chassis/declarations';
import { serviceConfig } from '@suite/chassis/runtime';
import { gatewayConfig, gatewaySettings } from '@suite/gateway/settings';
import { processes, services } from '../../../local/src/processes.ts';
import { type Manifest, podsOf, titleOf } from './manifest.ts';

/** Settings that only one service reads, by its name. */
export type OwnSettings = Readonly<Record<string, readonly string[]>>;

const serviceNames = services.map(({ name }) => name);
const rpcOf = (name: string): string => `RPC_${name.toUpperCase()}`;

/** Returns the variables that a process may have. */
function knownOf(name: string, own: OwnSettings): string[] {
  const row = services.find((one) => one.name === name);
  const common = Object.keys(processSettings);
  if (row) return [...common, ...Object.keys(serviceSettings), ...(own[name] ?? []), ...row.calls.map(rpcOf)];
  return [...common, ...Object.keys(gatewaySettings), ...serviceNames.map((one) => `UPSTREAM_${one.toUpperCase()}`)];
}

/** A value in place of one from a Secret. */
const SAMPLES: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://user:password@host:5432/name',
  DATABASE_DIRECT_URL: 'postgres://user:password@host:5432/name',
  DATABASE_REQUESTS_URL: 'postgres://user:password@host:5432/name',
  RATE_LIMIT_DATABASE_URL: 'postgres://user:password@host:5432/name',
  SMTP_URL: 'smtps://user:password@host',
};

const valuesOf = (env: readonly V1EnvVar[]): Record<string, string> =>
  Object.fromEntries(env.map(({ name, value }) => [name, value ?? SAMPLES[name] ?? 'from a Secret']));

/** Returns the sentence that the process prints instead of starting. */
function refusal(name: string, env: readonly V1EnvVar[]): string[] {
  const calls = services.find((one) => one.name === name)?.calls;
  try {
    if (calls) serviceConfig(calls, valuesOf(env));
    else gatewayConfig(serviceNames, valuesOf(env));
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Variables that the SDK of the bucket reads. */
const CREDENTIALS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

function processFaults(name: string, env: readonly V1EnvVar[], own: OwnSettings): string[] {
  const hasBucket = env.some((one) => one.name === 'FILES_S3_BUCKET');
  const known = [...knownOf(name, own), ...(hasBucket ? CREDENTIALS : [])];
  return [
    ...env.filter((one) => !known.includes(one.name)).map((one) => `no setting is called ${one.name}.`),
    ...refusal(name, env),
  ];
}

/** Returns the variables of a program that prepares databases, and the missing ones. */
function preparationFaults({ command = [], env = [] }: V1Container): string[] {
  const names = command.slice(command.indexOf('--databases') + 1);
  const required = ['ADMIN_URL', ...names.map((name) => `${name.toUpperCase()}_PASSWORD`)];
  const given = env.map(({ name }) => name);
  return [
    ...required.filter((name) => !given.includes(name)).map((name) => `${name} is missing.`),
    // ADMIN_URL refers to ADMIN_PASSWORD.
    ...given
      .filter((name) => ![...required, 'ADMIN_PASSWORD'].includes(name))
      .map((name) => `no setting is called ${name}.`),
  ];
}

const MIGRATION = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REQUESTS_URL'];

function migrationFaults({ env = [] }: V1Container): string[] {
  const given = env.map(({ name }) => name);
  return [
    ...(given.includes('DATABASE_URL') ? [] : ['DATABASE_URL is missing.']),
    ...given.filter((name) => !MIGRATION.includes(name)).map((name) => `no setting is called ${name}.`),
  ];
}

const repeated = (env: readonly V1EnvVar[]): string[] => {
  const names = env.map(({ name }) => name);
  return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${name} is set twice.`);
};

/** Returns the unknown, missing, invalid and repeated variables of the programs of the suite. */
export function variableFaults(objects: readonly Manifest[], own: OwnSettings): string[] {
  return podsOf(objects).flatMap(({ owner, spec }) => {
    const ours = (container: V1Container): string[] => {
      if (container.name === 'databases') return preparationFaults(container);
      const isProcess = processes.some(({ name }) => name === container.name);
      return isProcess ? processFaults(container.name, container.env ?? [], own) : [];
    };
    const faults = [
      ...spec.containers.flatMap((container) => [...ours(container), ...repeated(container.env ?? [])]),
      ...(spec.initContainers ?? []).flatMap(migrationFaults),
    ];
    return faults.map((fault) => `${titleOf(owner)}: ${fault}`);
  });
}
