/** `@jest/globals` for test files that Node itself imports: the functions of the running Jest. */
import { ModernFakeTimers } from '@jest/fake-timers';
import type { Jest } from '@jest/environment';
import { jestExpect } from '@jest/expect';
import { ModuleMocker } from 'jest-mock';

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';
export { jestExpect as expect };

const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const timers = new ModernFakeTimers({ config: { fakeTimers: {} } as never, global: globalThis });

const mocker = new ModuleMocker(globalThis);

type JestGlobals = Pick<
  Jest,
  'setTimeout' | 'useFakeTimers' | 'useRealTimers' | 'setSystemTime' | 'advanceTimersByTime' | 'restoreAllMocks'
> & { spyOn: ModuleMocker['spyOn'] };

/** Part of `jest` that the tests here use. Modules are never mocked, so nothing else is needed. */
export const jest: JestGlobals = {
  setTimeout(timeout_ms) {
    Object.assign(globalThis, { [TIMEOUT]: timeout_ms });
    return jest as Jest;
  },
  useFakeTimers(config) {
    timers.useFakeTimers(config as never);
    return jest as Jest;
  },
  useRealTimers() {
    timers.useRealTimers();
    return jest as Jest;
  },
  setSystemTime: (now) => timers.setSystemTime(now),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks() {
    mocker.restoreAllMocks();
    return jest as Jest;
  },
  advanceTimersByTime: (time_ms) => timers.advanceTimersByTime(time_ms),
};

/** Resets all state that a test file could leave to the next one. */
export function resetGlobals(): void {
  timers.useRealTimers();
  mocker.restoreAllMocks();
  Reflect.deleteProperty(globalThis, TIMEOUT);
}
