/**
 * Finds the workspaces that a test run may skip: nothing they depend on has changed since all of their tests passed.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { quietly, root } from './command.mjs';

const memory = join(root, 'node_modules/.suite/tests.json');
/** The key of files that belong to no workspace. */
const REPOSITORY = '.';

/** Returns the folder of each workspace with tests, and turbo's hash of all its dependencies. */
async function hashes() {
  const { code, output } = await quietly('turbo', ['run', 'test', '--dry=json']);
  if (code !== 0) return new Map();
  const { tasks } = JSON.parse(output.slice(output.indexOf('{')));
  const own = tasks.filter(({ task, command }) => task === 'test' && command !== '<NONEXISTENT>');
  const whole = own.find(({ taskId }) => taskId === '//#test').hash;
  // A task that turbo may not cache depends on the whole repository.
  const read = own.map((one) => [one.directory || REPOSITORY, one.resolvedTaskDefinition.cache ? one.hash : whole]);
  return new Map(read);
}

function recall() {
  try {
    return JSON.parse(readFileSync(memory, 'utf8'));
  } catch {
    return {};
  }
}

const escaped = (path) => path.replaceAll(/[.+*?^$()[\]{}|\\]/g, String.raw`\$&`);

/**
 * Returns the workspaces that have already passed, and the functions that run the rest and record the result.
 * @param isComplete whether to run everything nonetheless
 */
export async function remembered(isComplete) {
  const before = await hashes();
  const known = recall();
  const same = [...before.keys()].filter((folder) => !isComplete && known[folder]?.hash === before.get(folder));
  const isAll = same.length > 0 && same.length === before.size;
  const unchanged = isAll ? same : same.filter((folder) => folder !== REPOSITORY);
  const ownerOf = (file) => {
    const path = relative(root, file);
    return [...before.keys()].find((folder) => path.startsWith(`${folder}/`)) ?? REPOSITORY;
  };
  return {
    passed: unchanged.reduce((sum, folder) => sum + known[folder].passed, 0),
    workspaces: unchanged.length,
    isAll,
    /** Excludes the tests of unchanged workspaces from Jest. */
    options: [...unchanged.map((folder) => join(root, folder)), '/node_modules', '/.data'].map(
      (folder) => `--testPathIgnorePatterns=${escaped(folder)}/`,
    ),
    /** Records the workspaces whose tests have all passed, unless their files have changed since the start. */
    async remember(testResults) {
      const after = await hashes();
      const filesOf = (folder) => testResults.filter(({ name }) => ownerOf(name) === folder);
      const kept = [...after].flatMap(([folder, hash]) => {
        if (unchanged.includes(folder)) return [[folder, known[folder]]];
        const own = filesOf(folder);
        const isGood = hash === before.get(folder) && own.every(({ status }) => status === 'passed');
        const passed = own.flatMap((file) => file.assertionResults).filter(({ status }) => status === 'passed').length;
        return isGood ? [[folder, { hash, passed }]] : [];
      });
      mkdirSync(dirname(memory), { recursive: true });
      writeFileSync(memory, JSON.stringify(Object.fromEntries(kept)));
    },
  };
}
