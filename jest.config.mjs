const swc = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2024', keepClassNames: true },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

/** One run for all workspaces: PostgreSQL and NATS are started once, and every test gets databases of its own. */
export default {
  testEnvironment: 'node',
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/.data/'],
  modulePathIgnorePatterns: ['/\\.data/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'mjs', 'js', 'cjs', 'json', 'node'],
  transform: { '\\.ts$': ['@swc/jest', swc] },
  globalSetup: '<rootDir>/packages/harness/src/global-setup.ts',
  globalTeardown: '<rootDir>/packages/harness/src/global-teardown.ts',
  maxWorkers: 2,
  workerIdleMemoryLimit: '1GB',
  testTimeout: 30_000,
  coverageProvider: 'v8',
  collectCoverageFrom: ['{gateway,services/*,packages/*}/src/**/*.ts', '!**/generated/**', '!packages/proto/**'],
};
