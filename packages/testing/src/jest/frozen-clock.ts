import { clock } from '@suite/chassis/runtime';
import { addEventHandler } from 'jest-circus';

const ticking = clock.now;
addEventHandler(({ name }) => {
  if (name === 'test_done') clock.now = ticking;
});

/** Stops the clock of this process at a given time, until the test ends. */
export function freezeClock(instant: string): { goTo(instant: string): void } {
  let now = instant;
  clock.now = () => new Date(now);
  return {
    goTo(later) {
      now = later;
    },
  };
}
