import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { slimClient } from './client.mjs';
import { environment, quietly, root, step } from './command.mjs';
import { hashOf, isStamped, stamp } from './stamps.mjs';

const proto = {
  name: 'proto',
  inputs: ['proto', 'buf.yaml', 'buf.gen.yaml', 'package-lock.json'],
  output: 'packages/proto/src',
  command: ['node_modules/.bin/buf', 'generate'],
};

/**
 * Prisma wants a schema engine although it never starts it here; any executable keeps it from downloading one. The Node that
 * runs this script runs it, because Node 24 may not be installed yet.
 */
const prisma = (folder) => ({
  name: `prisma-${folder.replace('/', '-')}`,
  inputs: [`${folder}/prisma/schema.prisma`, 'package-lock.json', 'scripts/client.mjs'],
  output: `${folder}/src/generated`,
  command: [
    process.execPath,
    'node_modules/prisma/build/index.js',
    'generate',
    `--schema=${folder}/prisma/schema.prisma`,
  ],
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
  const title = stale.length > 3 ? 'Generating code' : `Generating ${stale.map((task) => task.name).join(', ')}`;
  await step(title, 'The code generators failed', async () => {
    const results = await Promise.all(stale.map(run));
    const failed = results.filter(({ code }) => code !== 0);
    return { code: failed.length, output: failed.map(({ name, output }) => `${name}:\n${output}`).join('\n') };
  });
}

/** Runs one generator and records its inputs when it succeeded. */
async function run({ name, hash, command: [program, ...args], env, finish }) {
  // The plugins of buf look for a Node on PATH, while the one in node_modules may be in the making.
  const PATH = dirname(process.execPath) + delimiter + environment().PATH;
  const { code, output } = await quietly(program, args, { PATH, ...env });
  if (code === 0) {
    finish?.();
    stamp(name, hash);
  }
  return { name, code, output };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await generate(process.argv[2] && `${process.argv[2]}/`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
