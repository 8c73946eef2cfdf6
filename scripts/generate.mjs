import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment, quietly, root, step } from './command.mjs';
import { hashOf, isStamped, stamp } from './stamps.mjs';

const proto = {
  name: 'proto',
  inputs: ['proto', 'buf.yaml', 'buf.gen.yaml', 'package-lock.json'],
  output: 'packages/proto/src',
  command: ['node_modules/.bin/buf', 'generate'],
};

const client = (folder) => ({
  name: `prisma-${folder.replace('/', '-')}`,
  folder,
  inputs: [`${folder}/prisma/schema.prisma`, 'package-lock.json', 'scripts/client.mjs', 'scripts/clients.mjs'],
  output: `${folder}/src/generated`,
});

const databases = () =>
  ['services', 'packages', 'tools']
    // A pruned tree contains only the parents of the folders that it needs.
    .filter((parent) => existsSync(join(root, parent)))
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
    .filter((folder) => existsSync(join(root, folder, 'prisma/schema.prisma')));

/**
 * Generates the protobuf types and the database clients whose inputs have changed since the last run.
 * @param folder the workspace to generate for. Defaults to all
 * @param development whether to include the workspaces that only tests and checks use
 */
export async function generate(folder = '', development = true) {
  const folders = databases().filter((path) => development || path.startsWith('services/'));
  const stale = [proto, ...folders.map(client)]
    .filter(({ output }) => output.startsWith(folder))
    .map((task) => ({ ...task, hash: hashOf(task.inputs) }))
    .filter((task) => !existsSync(join(root, task.output)) || !isStamped(task.name, task.hash));
  if (stale.length === 0) return;
  const title = stale.length > 3 ? 'Generating code' : `Generating ${stale.map((task) => task.name).join(', ')}`;
  await step(title, 'The code generators failed', async () => {
    const [clients, others] = [stale.filter((task) => task.folder), stale.filter((task) => task.command)];
    const results = await Promise.all([...others.map(runPlugin), ...(clients.length > 0 ? [runPrisma(clients)] : [])]);
    const failed = results.filter(({ code }) => code !== 0);
    return { code: failed.length, output: failed.map(({ output }) => output).join('\n') };
  });
}

/** Runs a generator and stamps its inputs after success. */
async function runPlugin({ name, hash, command: [program, ...args] }) {
  // The plugins of buf look for Node on PATH, while the one in node_modules may still be incomplete.
  const PATH = dirname(process.execPath) + delimiter + environment().PATH;
  const { code, output } = await quietly(program, args, { PATH });
  if (code === 0) stamp(name, hash);
  return { code, output: `${name}:\n${output}` };
}

/** Generates all stale database clients in one process, and stamps their inputs after success. */
async function runPrisma(tasks) {
  const folders = tasks.map((task) => task.folder);
  // The Node that runs this script, because Node 24 may not be installed yet.
  const result = await quietly(process.execPath, ['scripts/clients.mjs', ...folders]);
  if (result.code === 0) for (const { name, hash } of tasks) stamp(name, hash);
  return result;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await generate(process.argv[2] && `${process.argv[2]}/`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
