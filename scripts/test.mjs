// Runs the tests and checks. The last line of a run is always `N passed, N failed`: the tests, and each check counted
// as one.
import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { checks } from './checks.mjs';
import { quietly, root, seconds } from './command.mjs';
import { runJest } from './jest.mjs';
import { remembered } from './remembered.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments } from './words.mjs';

const { values } = parseArguments({
  command: 'npm test',
  help: `
Usage: npm test [-- [path…] [options]]

Without a path: every check, then every test, on servers and data of its own. Skips npm workspaces
that passed and have not changed since, including their dependencies.
With paths: the tests in these files or folders.

  --checks                   every check and the rules of the repository, without other tests
  --all                      every test, including those that passed
  --fix                      format first
  -t, --testNamePattern <x>  only tests whose names match
  -w, --maxWorkers <n>       number of files tested in parallel
  -i, --runInBand            one file at a time, in one process
  --verbose                  name every test
  --bail                     stop at the first failure

The last line is "N passed, N failed". The exit code is 0 if no test failed.`,
  options: {
    checks: { type: 'boolean' },
    all: { type: 'boolean' },
    fix: { type: 'boolean' },
    testNamePattern: { type: 'string', short: 't' },
    maxWorkers: { type: 'string', short: 'w' },
    runInBand: { type: 'boolean', short: 'i' },
    verbose: { type: 'boolean' },
    bail: { type: 'boolean' },
  },
  most: Number.POSITIVE_INFINITY,
});
const fix = values.fix ?? false;
const paths = process.argv.slice(2).filter((argument) => argument !== '--fix' && argument !== '--all');
/** Tests that only read sources and declarations. */
const RULES = ['tidy', 'subscriptions', 'modules', 'permissions'].map((name) => `tests/${name}.test.ts`);
if (values.checks) paths.splice(0, paths.length, ...RULES);
const total = { passed: 0, failed: 0 };
/** The tests that failed twice. They are printed last, because a long run prints much before. */
const failedAgain = [];

const AT_ONCE = 2;

async function run({ command: [program, ...args] }) {
  const started = performance.now();
  const result = await quietly(program, args, { NO_COLOR: '1', FORCE_COLOR: '0' });
  return { ...result, took: seconds(started) };
}

function tellOf({ name, advice }, { code, output, took }) {
  console.log(`${name.padEnd(18)}${code === 0 ? 'ok    ' : 'FAILED'} ${took}`);
  if (code === 0) total.passed += 1;
  else {
    total.failed += 1;
    console.log(`\n${output.trim()}\n${advice ? `${advice}\n` : ''}`);
  }
}

/** Runs the checks, several at a time, since most leave a core idle. Reports each when it has ended. */
async function runChecks() {
  const waiting = checks.values();
  const lane = async () => {
    for (const one of waiting) tellOf(one, await run(one));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

function read(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return undefined;
  }
}

function namesOfFailed(file, results) {
  const tests = results?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? [];
  const failed = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => `: ${fullName}`);
  return (failed.length > 0 ? failed : ['']).map((test) => `failed twice: ${relative(root, file)}${test}`);
}

/** Runs each failed file again, alone, and names the files that pass then. Only CI requests this. */
async function tryAgain({ testResults }) {
  const sum = { passed: 0, failed: 0 };
  const report = join(root, 'node_modules/.suite/jest-again.json');
  for (const { name } of testResults.filter(({ status }) => status === 'failed')) {
    rmSync(report, { force: true });
    const code = await runJest(['--json', `--outputFile=${report}`, '--runTestsByPath', name]);
    const results = read(report);
    if (code === 0) console.log(`flaky: ${relative(root, name)}`);
    else {
      sum.failed += Math.max(1, results?.numFailedTests ?? 0);
      failedAgain.push(...namesOfFailed(name, results));
    }
    // The other tests of the file were already counted as passed.
    const before = testResults.find((one) => one.name === name).assertionResults;
    const passed = before.filter(({ status }) => status === 'passed').length;
    sum.passed += Math.max(0, (results?.numPassedTests ?? 0) - passed);
  }
  return sum;
}

async function tests(memory) {
  if (memory?.workspaces) {
    total.passed += memory.passed;
    console.log(
      `${memory.passed} tests of ${memory.workspaces} workspaces skipped: unchanged since they passed (--all runs them, too).`,
    );
    if (memory.isAll) return;
  }
  const report = join(root, 'node_modules/.suite/jest.json');
  rmSync(report, { force: true });
  console.log('tests');
  const started = performance.now();
  const code = await runJest(['--json', `--outputFile=${report}`, ...(memory?.options ?? []), ...paths]);
  console.log(`${'tests'.padEnd(18)}${code === 0 ? 'ok    ' : 'FAILED'} ${seconds(started)}`);
  const results = read(report);
  if (!results) console.log('Jest ended without a report.');
  if (results) await memory?.remember(results.testResults);
  total.passed += results?.numPassedTests ?? 0;
  const failed = results ? results.numFailedTests + results.numRuntimeErrorTestSuites : 0;
  const again = results && failed > 0 && process.env.SUITE_TEST_AGAIN ? await tryAgain(results) : undefined;
  if (again) {
    total.passed += again.passed;
    total.failed += again.failed;
    return;
  }
  // A run that failed for another reason (global set-up, an open handle, no test found) must not be reported as passed.
  total.failed += code === 0 ? failed : Math.max(failed, 1);
}

const begun = performance.now();
// Tests of a service do not read the API document. They start without the delay of building it.
const description = paths.length === 0 || paths.some((path) => /^(\.\/)?(deploy|gateway|tests|tools)\b/.test(path));
await setUp({ description, servers: true, giveUp: () => console.log('\n0 passed, 1 failed') });
if (fix) await quietly(join(root, 'node_modules/.bin/biome'), ['format', '--write']);
if (values.checks || paths.length === 0) await runChecks();
const isComplete = values.all || Boolean(process.env.CI ?? process.env.SUITE_TEST_AGAIN);
await tests(paths.length === 0 ? await remembered(isComplete) : undefined);
for (const line of failedAgain) console.log(line);
console.log(`${'all'.padEnd(18)}${total.failed === 0 ? 'ok    ' : 'FAILED'} ${seconds(begun)}\n`);
process.exitCode = total.failed === 0 ? 0 : 1;
console.log(`${total.passed} passed, ${total.failed} failed`);
