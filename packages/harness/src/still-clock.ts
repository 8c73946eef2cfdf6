import { afterEach } from '@jest/globals';
import { clock } from '@suite/chassis';

const ticking = clock.now;

/** Holds the clock of this process still at an instant, until the test ends. */
export function stillClock(instant: string): { goTo(instant: string): void } {
  let now = new Date(instant);
  clock.now = () => now;
  return {
    goTo(later) {
      now = new Date(later);
    },
  };
}

afterEach(() => {
  clock.now = ticking;
});
