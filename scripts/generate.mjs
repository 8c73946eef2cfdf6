import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { slimClient } from './client.mjs';
import { node, quietly, root, seconds } from './command.mjs';
import { hashOf, isStamped, stamp } from './stamps.mjs';

const proto = {
  name: 'proto',
  inputs: ['proto', 'buf.yaml', 'buf.gen.yaml', 'package-lock.json'],
  output: 'packages/proto/src',
  command: ['node_modules/.bin/buf', 'generate'],
};

/** Prisma wants a schema engine although it never starts it here; any executable keeps it from downloading one. */
const prisma = (folder) => ({
  name: `prisma-${folder.replace('/', '-')}`,
  inputs: [`${folder}/prisma/schema.prisma`, 'package-lock.json', 'scripts/client.mjs'],
  output: `${folder}/src/generated`,
  command: [node, 'node_modules/prisma/build/index.js', 'generate', `--schema=${folder}/prisma/schema.prisma`],
  finish: () => slimClient(join(root, folder, 'src/generated')),
  env: { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' },
});

const databases = () =>
  ['services', 'packages', 'tools']
    // A pruned tree has the parents only of what it needs.
    .filter((parent) => existsSync(join(root, parent)))
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
    .filter((folder) => existsSync(join(root, folder, 'prisma/schema.prisma')));

/**
 * Generates the protobuf types and the database clients whose inputs have changed since the last time.
 * @param folder of one workspace; of all of them, where none is given
 */
export async function generate(folder = '') {
  const stale = [proto, ...databases().map(prisma)]
    .filter(({ output }) => output.startsWith(folder))
    .map((task) => ({ ...task, hash: hashOf(task.inputs) }))
    .filter((task) => !existsSync(join(root, task.output)) || !isStamped(task.name, task.hash));
  if (stale.length === 0) return;
  process.stdout.write(`Generating ${stale.map((task) => task.name).join(', ')} … `);
  const started = performance.now();
  const results = await Promise.all(stale.map(({ command: [program, ...args], env }) => quietly(program, args, env)));
  const failed = stale.flatMap((task, index) => (results[index].code === 0 ? [] : [{ task, ...results[index] }]));
  for (const task of stale) {
    if (failed.some((failure) => failure.task === task)) continue;
    task.finish?.();
    stamp(task.name, task.hash);
  }
  if (failed.length > 0) {
    console.log('failed');
    throw new Error(failed.map(({ task, output }) => `generating ${task.name} failed:\n${output}`).join('\n'));
  }
  console.log(seconds(started));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await generate(process.argv[2] && `${process.argv[2]}/`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
