/** Builds the images of the suite from its Dockerfile, and measures them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessRow } from '../local/src/processes.ts';
import { BUILD } from './base-images.ts';
import { type ContainerTools, NODE_IMAGE, outputOf } from './podman.ts';

/** A built image. */
export interface SuiteImage {
  name: string;
  /** Size in addition to the image of Node.js, in bytes. */
  own_bytes: number;
}

/** Returns the reference of an image, as the chart names it with the registry `localhost`. */
export const imageOf = (name: string, version: string): string => `localhost/suite-${name}:${version}`;

/**
 * Returns the options that pass the configuration of npm to a build, such as a registry or a certificate authority. They
 * are in no image.
 * @param directory a folder for a temporary file
 */
async function npmOptions({ run }: ContainerTools, directory: string): Promise<string[]> {
  const value = async (key: string) => outputOf('npm config', run('npm', ['config', 'get', key]));
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  const settings = join(directory, 'npmrc');
  const texts = [read(await value('globalconfig')), read(await value('userconfig'))];
  writeFileSync(settings, texts.join('\n'), { mode: 0o600 });
  const authority = await value('cafile');
  return [
    '--volume',
    `${settings}:/root/.npmrc:ro`,
    ...(existsSync(authority) ? ['--volume', `${authority}:${authority}:ro`] : []),
  ];
}

const sizeOf = async ({ podman }: ContainerTools, image: string): Promise<number> =>
  Number(await outputOf('podman image inspect', podman(['image', 'inspect', '--format', '{{.Size}}', image])));

/**
 * Builds the image of each process. The first build also installs everything, and the others use its layers.
 * @param root the repository
 * @param directory a folder for a temporary file
 * @throws ContainerError with the end of the output of the build that failed
 */
export async function buildSuiteImages(
  tools: ContainerTools,
  root: string,
  rows: readonly ProcessRow[],
  version: string,
  directory: string,
): Promise<SuiteImage[]> {
  const npm = await npmOptions(tools, directory);
  const file = ['--file', join(root, 'deploy/docker/Dockerfile')];
  const ignored = ['--ignorefile', join(root, 'deploy/docker/Dockerfile.dockerignore')];
  const base_bytes = await sizeOf(tools, NODE_IMAGE);
  const images: SuiteImage[] = [];
  for (const { name, service } of rows) {
    const image = imageOf(name, version);
    const process = ['--build-arg', `SERVICE=${service?.directory ?? 'gateway'}`, '--tag', image];
    const words = [...BUILD, '--pull-never', ...npm, ...file, ...ignored, ...process, root];
    await outputOf(`The build of ${image}`, tools.buildah(words, 30 * 60_000));
    images.push({ name, own_bytes: (await sizeOf(tools, image)) - base_bytes });
  }
  return images;
}
