/**
 * `npm run containers`: builds all images from the Dockerfile, plays the pods of `values-small.yaml` under podman, makes the
 * first call of the README, and stops the pods. Prints the table, and writes it to docs/operations/results/containers.md.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { CHART } from '../helm/test/helm-program.ts';
import { measuredOn } from '../images/measurement.ts';
import { ROOT } from '../local/src/plan.ts';
import { processes } from '../local/src/processes.ts';
import { provideBaseImages } from './base-images.ts';
import { makeFirstCall, observePods, prepareSuite, startPods, stopPods } from './played-suite.ts';
import { assertMachine, ContainerError, type ContainerTools, containerTools } from './podman.ts';
import { type ContainersRun, missedGoals, page } from './results.ts';
import { buildSuiteImages } from './suite-images.ts';

const RESULTS = join(ROOT, 'docs/operations/results/containers.md');

/** Does a step, and prints how long it took. */
async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  console.log(`${title} … ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  return result;
}

async function runContainers(tools: ContainerTools, directory: string): Promise<ContainersRun> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const values = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as Record<
    'nats' | 'postgres',
    { image: string }
  >;
  const wanted = { nats: values.nats.image, postgres: values.postgres.image };
  const base = await step('Providing Node.js, NATS and PostgreSQL', () => provideBaseImages(tools, wanted, directory));
  const images = await step('Building the images', () => buildSuiteImages(tools, ROOT, processes, version, directory));
  const sizes = new Map(images.map(({ name, own_bytes }) => [name, own_bytes]));
  const suite = await prepareSuite(tools, base, directory);
  const began = performance.now();
  let first_response_s = Number.POSITIVE_INFINITY;
  const firstCall = async (): Promise<void> => {
    await makeFirstCall(suite);
    first_response_s = (performance.now() - began) / 1_000;
  };
  const ready_s = await step('Starting the pods, and making the first call', () => startPods(suite, firstCall));
  const memories = await step('Reading confinement and memory', () => observePods(suite));
  const containers = await step('Stopping the pods', () => stopPods(suite, ready_s, memories, sizes));
  return { containers, first_response_s, origin: base.origin, machine: measuredOn() };
}

/** Rejects when the user or the system ends this program, so that the containers are removed. */
const interruption = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => reject(new ContainerError(`Interrupted by ${signal}.`)));
});

const { values } = parseArgs({ options: { storage: { type: 'string' } } });
const directory = mkdtempSync(join(tmpdir(), 'suite-containers-'));
const storage = resolve(values.storage ?? join(directory, 'storage'));
let tools: ContainerTools | undefined;
try {
  assertMachine();
  tools = containerTools(directory, storage);
  const run = await Promise.race([runContainers(tools, directory), interruption]);
  const missed = missedGoals(run);
  mkdirSync(dirname(RESULTS), { recursive: true });
  writeFileSync(RESULTS, page(run));
  console.log(`\n${page(run)}`);
  for (const sentence of missed) console.error(sentence);
  if (missed.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await tools?.end();
  rmSync(directory, { recursive: true, force: true });
}
