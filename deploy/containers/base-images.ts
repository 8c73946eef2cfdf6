/** Provides the images of Node.js, NATS and PostgreSQL: from a registry, or made on this machine. */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ContainerError, type ContainerTools, isInstalled, NODE_IMAGE, outputOf, PAUSE_IMAGE } from './podman.ts';

/** Images that the suite and its servers run on, and their origin for the results. */
export interface BaseImages {
  nats: string;
  postgres: string;
  origin: string;
}

const FILES = fileURLToPath(new URL('local-images', import.meta.url));
const REGISTRY = 'docker.io/library';
const DEBIAN = 'localhost/suite-debian';
/** Options of every build: as root, and without a capability that raises limits. */
export const BUILD = ['bud', '--network', 'host', '--runtime', 'runc', '--ulimit', 'nofile=20000:20000', '--layers'];
const PULL_MS = 5 * 60_000;

const exists = async ({ podman }: ContainerTools, image: string): Promise<boolean> =>
  (await podman(['image', 'exists', image])).code === 0;

/** Makes the image of Debian that the local images are built on. */
async function makeDebian(tools: ContainerTools, directory: string): Promise<void> {
  if (!isInstalled('debootstrap'))
    throw new ContainerError(
      `The registry of ${NODE_IMAGE} cannot be reached, and debootstrap is missing: run \`apt-get install debootstrap\`.`,
    );
  const root = join(directory, 'debian');
  const words = ['--variant=minbase', '--include=ca-certificates', 'trixie', root];
  await outputOf('debootstrap', tools.run('debootstrap', words));
  const container = await outputOf('buildah from', tools.buildah(['from', 'scratch']));
  await outputOf('buildah add', tools.buildah(['add', container, root, '/']));
  const path = ['--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'];
  await outputOf('buildah config', tools.buildah(['config', ...path, container]));
  await outputOf('buildah commit', tools.buildah(['commit', '--rm', container, DEBIAN]));
  rmSync(root, { recursive: true, force: true });
}

/** Builds an image from a file of `local-images`. @param name the name of the file */
async function buildLocal(tools: ContainerTools, name: string, context: string, image: string): Promise<void> {
  const file = ['--file', join(FILES, `${name}.Dockerfile`), '--tag', image];
  await outputOf(`The build of ${image}`, tools.buildah([...BUILD, '--pull-never', ...file, context]));
}

/** Copies the Node.js that runs this program, and npm, for the image of Node.js. */
async function nodeContext(tools: ContainerTools, directory: string): Promise<string> {
  const context = join(directory, 'node');
  mkdirSync(context);
  cpSync(process.execPath, join(context, 'node'));
  const modules = await outputOf('npm root', tools.run('npm', ['root', '--global']));
  cpSync(join(modules, 'npm'), join(context, 'npm'), { recursive: true, verbatimSymlinks: true });
  return context;
}

async function makeLocally(tools: ContainerTools, directory: string): Promise<BaseImages> {
  const [nats, postgres] = ['localhost/suite-nats:debian', 'localhost/suite-postgres:debian'];
  const origin = 'Debian 13 with its packages of NATS and PostgreSQL, because no registry was reached';
  if ((await exists(tools, NODE_IMAGE)) && (await exists(tools, nats)) && (await exists(tools, postgres)))
    return { nats, postgres, origin };
  if (!(await exists(tools, DEBIAN))) await makeDebian(tools, directory);
  await buildLocal(tools, 'node', await nodeContext(tools, directory), NODE_IMAGE);
  await buildLocal(tools, 'nats', FILES, nats);
  await buildLocal(tools, 'postgres', FILES, postgres);
  return { nats, postgres, origin };
}

/**
 * Pulls the images that the chart names, or makes replacements if the registry cannot be reached.
 * @param wanted images of NATS and PostgreSQL, as the values name them
 * @param directory a folder for temporary files
 * @throws ContainerError if neither is possible
 */
export async function provideBaseImages(
  tools: ContainerTools,
  wanted: Readonly<Record<'nats' | 'postgres', string>>,
  directory: string,
): Promise<BaseImages> {
  const images = await pullOrMake(tools, wanted, directory);
  await buildLocal(tools, 'pause', FILES, PAUSE_IMAGE);
  return images;
}

async function pullOrMake(
  tools: ContainerTools,
  wanted: Readonly<Record<'nats' | 'postgres', string>>,
  directory: string,
): Promise<BaseImages> {
  const [nats, postgres] = [`${REGISTRY}/${wanted.nats}`, `${REGISTRY}/${wanted.postgres}`];
  for (const image of [nats, postgres, NODE_IMAGE]) {
    const pulled = await tools.podman(['pull', '--quiet', image], PULL_MS);
    if (pulled.code !== 0) return await makeLocally(tools, directory);
  }
  return { nats, postgres, origin: `${wanted.nats} and ${wanted.postgres} from the registry` };
}
