import { afterEach } from '@jest/globals';
import { clock } from '@suite/chassis';

const ticking = clock.now;

/** Holds the clock of this process still at an instant, until the test ends. */
export function stillClock(instant: string): { goTo(instant: string): void } {
  let now = instant;
  clock.now = () => new Date(now);
  return {
    goTo(later) {
      now = later;
    },
  };
}

afterEach(() => {
  clock.now = ticking;
});
