/**
 * Runs a test file for Jest like Node itself. Jest by default loads all code again for every file, in a separate
 * context. Here a worker keeps its loaded and compiled code, so that a file costs only its own tests. Modules therefore
 * live longer than a test file: a test restores what it changes in a module.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { createEmptyTestResult, type AssertionResult, type TestResult } from '@jest/test-result';
import type { Circus, Config } from '@jest/types';
import { addEventHandler, getState, resetState, run } from 'jest-circus';
import { formatExecError, formatResultsErrors } from 'jest-message-util';
import { jestExpect } from '@jest/expect';
import { needsSuite, suiteKindOf } from '../starting/kinds.ts';
import { stopShared } from '../suite/stop-shared.ts';
import { resetGlobals } from './globals.ts';

const GLOBALS = new URL('globals.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals'
      ? { url: GLOBALS, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
});

/** Uncaught errors that are not assigned to a test or file yet. */
const uncaught = new Map<unknown, Error>();
const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));
const removeUncaught = (): Error[] => {
  const errors = [...uncaught.values()];
  uncaught.clear();
  return errors;
};
const listeners = {
  uncaughtException: (error: Error) => void uncaught.set(error, error),
  unhandledRejection: (reason: unknown, promise: Promise<unknown>) => void uncaught.set(promise, asError(reason)),
  rejectionHandled: (promise: Promise<unknown>) => void uncaught.delete(promise),
};

/**
 * A test also fails on an unhandled error in the meantime, and on errors that `expect` has collected without throwing.
 */
addEventHandler((event) => {
  if (event.name === 'test_start') jestExpect.setState({ currentTestName: event.test.name });
  if (event.name !== 'test_done') return;
  const { suppressedErrors } = jestExpect.getState();
  const forgotten = jestExpect.extractExpectedAssertionsErrors();
  event.test.errors.push(...removeUncaught(), ...suppressedErrors, ...forgotten.map(({ error }) => error));
  jestExpect.setState({ suppressedErrors: [] });
});

const STATUSES = { skip: 'pending', todo: 'todo', done: 'passed' } as const;

function assertionResult(result: Circus.TestResult): AssertionResult {
  const [, ...titles] = result.testPath.map(String);
  const status = result.errors.length > 0 ? 'failed' : STATUSES[result.status];
  return {
    ancestorTitles: titles.slice(0, -1),
    duration: result.duration ?? null,
    failureDetails: result.errorsDetailed,
    failureMessages: [...result.errors],
    fullName: titles.join(' '),
    invocations: result.invocations,
    location: result.location ?? null,
    numPassingAsserts: result.numPassingAsserts,
    retryReasons: [...result.retryReasons],
    status,
    title: titles.at(-1) ?? '',
  };
}

let files = 0;

/** Loads the file, which declares its tests, and runs them. @throws any error of the file during loading */
async function runFile(
  testPath: string,
  { testNamePattern }: Config.GlobalConfig,
  { testTimeout }: Config.ProjectConfig,
) {
  resetState();
  const state = getState();
  state.testTimeout = testTimeout;
  if (testNamePattern) state.testNamePattern = new RegExp(testNamePattern, 'i');
  jestExpect.setState({ testPath, suppressedErrors: [] });
  files += 1;
  const environment = { ...process.env };
  for (const [name, listener] of Object.entries(listeners)) process.on(name, listener);
  try {
    await import(`${pathToFileURL(testPath).href}?${files}`);
    const { testResults, unhandledErrors } = await run();
    return { testResults, unhandledErrors: [...unhandledErrors, ...removeUncaught().map(({ stack = '' }) => stack)] };
  } finally {
    for (const [name, listener] of Object.entries(listeners)) process.off(name, listener);
    resetGlobals();
    for (const name of Object.keys(process.env)) if (!(name in environment)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, environment);
  }
}

/** The signature that Jest requires of `testRunner`. */
export default async function testRunner(
  globalConfig: Config.GlobalConfig,
  config: Config.ProjectConfig,
  _environment: unknown,
  _runtime: unknown,
  testPath: string,
): Promise<TestResult> {
  const source = readFileSync(testPath, 'utf8');
  // Files that share a suite of one kind run one after another (sequencer.ts).
  if (needsSuite(source)) await stopShared(suiteKindOf(source));
  const { testResults, unhandledErrors } = await runFile(testPath, globalConfig, config);
  const results = testResults.map(assertionResult);
  const count = (status: AssertionResult['status']) => results.filter((result) => result.status === status).length;
  const stack = unhandledErrors.join('\n');
  const failures = [
    formatResultsErrors(results, config, globalConfig, testPath) ?? '',
    ...(stack ? [formatExecError({ message: '', stack }, config, globalConfig)] : []),
  ].join('\n');
  return {
    ...createEmptyTestResult(),
    ...(failures && { failureMessage: failures }),
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    ...(stack && { testExecError: { message: '', stack } }),
    testFilePath: testPath,
    testResults: results,
  };
}
