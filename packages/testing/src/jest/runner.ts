import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Test, TestEvents, TestRunnerOptions, TestWatcher, UnsubscribeFn } from 'jest-runner';
import { needsSuite } from '../starting/kinds.ts';
import { stopShared } from '../suite/stop-shared.ts';

const { default: Runner } = createRequire(import.meta.url)('jest-runner') as typeof import('jest-runner');

type Listener<Name extends keyof TestEvents> = (data: TestEvents[Name]) => void | Promise<void>;

/**
 * Runs the files that need a whole suite one after the other. They have a separate worker next to the workers of all
 * other files. They wait for relays and schedules half of the time, while others compute. Two concurrent suites would
 * compete for the processor's caches.
 */
export default class extends Runner {
  readonly #suites: InstanceType<typeof Runner>;

  constructor(...[config, context]: ConstructorParameters<typeof Runner>) {
    super(config, context);
    this.#suites = new Runner({ ...config, maxWorkers: 1 }, context);
  }

  override on<Name extends keyof TestEvents>(name: Name, listener: Listener<Name>): UnsubscribeFn {
    const ends = [super.on(name, listener), this.#suites.on(name, listener)];
    return () => {
      for (const end of ends) end();
    };
  }

  override async runTests(tests: Test[], watcher: TestWatcher, options: TestRunnerOptions): Promise<void> {
    if (options.serial) return await super.runTests(tests, watcher, options);
    const kindOf = ({ path }: Test) => (needsSuite(readFileSync(path, 'utf8')) ? 'suites' : 'others');
    const { suites = [], others = [] } = Object.groupBy(tests, kindOf);
    const suites_run = async () => {
      await this.#suites.runTests(suites, watcher, options);
      await stopShared();
    };
    await Promise.all([
      suites.length > 0 && suites_run(),
      others.length > 0 && super.runTests(others, watcher, options),
    ]);
  }
}
