/** The setting of a test. */
import { beforeEach } from '@jest/globals';

/**
 * Makes a setting anew before each test of a file.
 * @returns its parts, to be read inside of tests: those of the test that runs
 */
export function scene<Parts extends object>(make: () => Promise<Parts>): Parts {
  const parts = {} as Parts;
  beforeEach(async () => {
    Object.assign(parts, await make());
  });
  return parts;
}
