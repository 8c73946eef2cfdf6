import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { OPTIONAL } from '../local/src/config.ts';
import { engineFlags, environmentOf } from '../local/src/environment.ts';
import { planSuite } from '../local/src/plan.ts';
import { VOLUMES } from '../images/image.ts';
import { processes } from '../local/src/processes.ts';

interface Service {
  image: string;
  build?: { context: string; dockerfile: string; args: { SERVICE: string } };
  command?: string[];
  environment?: Record<string, string | null>;
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  read_only?: boolean;
  user?: string;
  ports?: string[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const compose = parse(text, { merge: true }) as { services: Record<string, Service>; volumes: Record<string, null> };
const dockerfile = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8');
const serviceOf = (name: string): Service => compose.services[name] ?? { image: 'missing' };

/** The variables that the image sets for every process. */
const OF_THE_IMAGE = ['NODE_ENV', 'NODE_COMPILE_CACHE', 'MALLOC_TRIM_THRESHOLD_', 'MALLOC_ARENA_MAX', 'NODE_OPTIONS'];
const LAUNCHER_ONLY = ['DEMO_FILE', ...OF_THE_IMAGE];
const plan = planSuite({ port: 4000 });

/** Returns the variables that the launcher sets for a process. */
function needed(name: string): string[] {
  const planned = plan.processes.find((each) => each.name === name);
  if (!planned) throw new Error(`The launcher knows no process ${name}.`);
  const bare = { ...plan, config: { ...plan.config, handed_on: {} } };
  const environment = environmentOf(bare, planned, { nats_url: '', databases: {} });
  return Object.keys(environment).filter((variable) => !LAUNCHER_ONLY.includes(variable));
}

describe.each(processes)('$name in the compose file', ({ name, entry, service }) => {
  const described = serviceOf(name);

  test('is built from the shared Dockerfile and runs an existing program', () => {
    expect(described.build?.dockerfile).toBe('deploy/docker/Dockerfile');
    expect(`${described.build?.args.SERVICE}/src/main.ts`).toBe(entry);
    expect(existsSync(join(root, entry))).toBe(true);
  });

  test('receives all variables that it needs, and no unused ones', () => {
    const told = Object.keys(described.environment ?? {});
    expect(told).toEqual(expect.arrayContaining(needed(name)));
    expect(told.filter((variable) => !needed(name).includes(variable) && !OPTIONAL.includes(variable))).toEqual([]);
  });

  test('starts only after its keys and its database are ready', () => {
    const waits = described.depends_on ?? {};
    expect(waits['nats']).toEqual({ condition: 'service_healthy' });
    const before = service ? `migrate-${name}` : 'prepare';
    expect(waits[before]).toEqual({ condition: 'service_completed_successfully' });
    if (!service) return;
    const migration = serviceOf(before);
    expect(migration.command).toEqual(['node', 'dist/migrate.js', '.']);
    expect(migration.image).toBe(described.image);
    expect(migration.environment?.['DATABASE_URL']).toBe(described.environment?.['DATABASE_URL']);
    expect(migration.depends_on?.['prepare']).toEqual({ condition: 'service_completed_successfully' });
    expect(serviceOf('prepare').environment).toHaveProperty(`${name.toUpperCase()}_PASSWORD`);
  });

  test('has the environment in the image that the launcher sets for every process', () => {
    const [said = ''] = /^ENV .*$/m.exec(dockerfile) ?? [];
    for (const variable of OF_THE_IMAGE) expect(said).toContain(` ${variable}=`);
    expect(said).toContain(` ENGINE_FLAGS="${engineFlags.join(' ')}"`);
    expect(dockerfile.match(/node \$ENGINE_FLAGS /g)).toHaveLength(3);
  });

  test('runs code that the image has compiled for its user', () => {
    const commands = dockerfile.split('FROM node:24-slim\n').at(-1)!;
    const [, compiled = ''] = /NODE_COMPILE_CACHE=(\S+)/.exec(commands) ?? [];
    const [owner, user, run] = [
      `--owner=node --group=node ${compiled}\n`,
      'USER node\n',
      'RUN node $ENGINE_FLAGS dist/main.js',
    ];
    expect([owner, user, run].map((each) => commands.indexOf(each))).toEqual(
      [owner, user, run].map((each) => commands.indexOf(each)).toSorted((one, other) => one - other),
    );
    expect(commands).toContain(owner);
  });

  test('has access to its own keys only', () => {
    const keys = (described.volumes ?? []).filter((volume) => volume.includes('keys'));
    expect(keys).toEqual([`keys-${name}:/keys/${name}:ro`]);
    expect(described.environment?.['KEYS_DIR']).toBe(`/keys/${name}`);
    expect(serviceOf('prepare').volumes).toContain(`keys-${name}:/keys/${name}`);
    expect(VOLUMES).toContain(`keys/${name}`);
  });

  test('runs without root, on a read-only file system, and with a health check', () => {
    expect(described.read_only).toBe(true);
    expect(described.user).toBeUndefined();
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK .*\n.*\/health\/ready/m);
    expect(described.healthcheck?.disable).not.toBe(true);
  });
});

describe('the compose file', () => {
  test('names only volumes, services, files and folders that exist', () => {
    for (const { volumes = [], depends_on = {} } of Object.values(compose.services)) {
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        expect(source.startsWith('.') ? existsSync(join(root, source)) : source in compose.volumes).toBe(true);
      }
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
    }
    for (const program of ['deploy/images/image.ts', 'scripts/set-up.mjs']) {
      expect(existsSync(join(root, program))).toBe(true);
      expect(dockerfile).toContain(program);
    }
  });

  test('defines exactly the processes of the process table', () => {
    const all = processes.map(({ name }) => name).toSorted();
    const services = processes.flatMap(({ name, service }) => (service ? [name] : [])).toSorted();
    const named = (pattern: RegExp, where: string) =>
      [...new Set([...where.matchAll(pattern)].map(([, name = '']) => name.toLowerCase()))].toSorted();
    expect(named(/image: suite-(\w+)/g, text)).toEqual(all);
    expect(named(/SERVICE: (?:services\/)?(\w+)/g, text)).toEqual(all);
    expect(named(/^ {2}keys-(\w+):/gm, text)).toEqual(all);
    expect(named(/^ {2}files-(\w+):/gm, text)).toEqual(services);
    expect(named(/^ {2}migrate-(\w+):/gm, text)).toEqual(services);
    expect(named(/^ {6}(\w+)_PASSWORD:/gm, text)).toEqual(['postgres', ...services].toSorted());
    expect(VOLUMES.filter((path) => path.startsWith('keys/')).toSorted()).toEqual(all.map((name) => `keys/${name}`));
  });

  test('waits for servers that report themselves as healthy', () => {
    expect(serviceOf('postgres').healthcheck?.test).toContain('pg_isready');
    expect(serviceOf('nats').healthcheck?.test?.join(' ')).toContain('/healthz');
    expect(readFileSync(join(root, 'deploy/docker/nats.conf'), 'utf8')).toMatch(/^ {2}sync_interval: always$/m);
  });

  test('has labels for registries, with the version of the suite', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    for (const label of ['title', 'version', 'revision', 'source', 'licenses'])
      expect(dockerfile).toContain(`org.opencontainers.image.${label}=`);
    expect(dockerfile).toContain(`org.opencontainers.image.version="${version}"`);
  });

  test('exposes only the gateway', () => {
    const published = Object.entries(compose.services).filter(([, { ports }]) => ports);
    expect(published.map(([name]) => name)).toEqual(['gateway']);
  });

  test('addresses processes by name, on the ports on which they listen', () => {
    const listens = (name: string, variable: string) => serviceOf(name).environment?.[variable];
    for (const { environment = {} } of Object.values(compose.services)) {
      for (const [variable, value] of Object.entries(environment)) {
        const neighbour = /^(UPSTREAM|RPC)_(.+)$/.exec(variable);
        if (!neighbour) continue;
        const name = String(neighbour[2]).toLowerCase();
        const isHttp = neighbour[1] === 'UPSTREAM';
        const port = listens(name, isHttp ? 'HTTP_PORT' : 'GRPC_PORT');
        expect(value).toBe(isHttp ? `http://${name}:${port}` : `${name}:${port}`);
      }
    }
  });

  test('contains no secret: every password comes from the environment', () => {
    for (const [, name] of text.matchAll(/\$\{(\w*PASSWORD)\}/g)) {
      expect(text).toContain(`\${${name}:?run node deploy/docker/secrets.ts > .env first}`);
    }
    expect(text).not.toMatch(/PASSWORD: (?!\$\{)/);
  });
});
