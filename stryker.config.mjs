// Each mutant runs every test that reaches it: fifty random documents find what ten thousand would.
process.env['PROPERTY_RUNS'] = '50';

const swc = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2024', keepClassNames: true },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

/**
 * `npm run mutate`: breaks packages/money in every way Stryker knows, and asks whether a test notices. Some minutes long,
 * and so no part of `npm test`.
 */
export default {
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  // Differences from jest.config.mjs: Jest's own module loading, which Stryker supports, and no servers. Paths in .data
  // are not ignored, because the mutated copy is in .data.
  jest: {
    config: {
      testRunner: 'jest-circus/runner',
      transform: { '\\.ts$': ['@swc/jest', swc] },
      globalSetup: null,
      globalTeardown: null,
      modulePathIgnorePatterns: [],
      testPathIgnorePatterns: ['/node_modules/'],
    },
  },
  coverageAnalysis: 'perTest',
  mutate: ['packages/money/src/**/*.ts', '!**/*.test.ts'],
  ignorePatterns: [
    '**',
    '!package.json',
    '!jest.config.mjs',
    '!packages/money/package.json',
    '!packages/money/{src,test}/**',
  ],
  thresholds: { high: 95, low: 90, break: 85 },
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
  tempDirName: '.data/stryker',
};
