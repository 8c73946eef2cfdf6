/** `@jest/globals` for test files that Node imports itself: the functions of the Jest that runs them. */
import { ModernFakeTimers } from '@jest/fake-timers';
import type { Jest } from '@jest/environment';
import { jestExpect } from '@jest/expect';
import { ModuleMocker } from 'jest-mock';

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';
export { jestExpect as expect };

const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const timers = new ModernFakeTimers({ config: { fakeTimers: {} } as never, global: globalThis });

const mocker = new ModuleMocker(globalThis);

type Offered = Pick<
  Jest,
  'setTimeout' | 'useFakeTimers' | 'useRealTimers' | 'setSystemTime' | 'advanceTimersByTime' | 'restoreAllMocks'
> & { spyOn: ModuleMocker['spyOn'] };

/** The part of `jest` that the tests here use. Modules are never mocked, so there is no more of it. */
export const jest: Offered = {
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

/** Leaves nothing of a test file to the next one. */
export function resetGlobals(): void {
  timers.useRealTimers();
  mocker.restoreAllMocks();
  Reflect.deleteProperty(globalThis, TIMEOUT);
}
