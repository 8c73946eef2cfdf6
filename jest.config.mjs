/** One run for all workspaces: PostgreSQL and NATS are started once, and every test gets databases of its own. */
export default {
  testEnvironment: 'node',
  testRunner: '<rootDir>/packages/testing/src/jest/test-runner.ts',
  runner: '<rootDir>/packages/testing/src/jest/runner.ts',
  testSequencer: '<rootDir>/packages/testing/src/jest/sequencer.ts',
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/.data/'],
  modulePathIgnorePatterns: ['/\\.data/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'mjs', 'js', 'cjs', 'json', 'node'],
  // Node runs TypeScript itself.
  transform: {},
  globalSetup: '<rootDir>/packages/testing/src/jest/global-setup.ts',
  globalTeardown: '<rootDir>/packages/testing/src/jest/global-teardown.ts',
  // In addition to the worker for the files that need a whole suite (runner.ts).
  maxWorkers: 2,
  workerIdleMemoryLimit: '1GB',
  // Only what hangs is to be ended: a busy machine takes several times as long.
  testTimeout: 120_000,
};
