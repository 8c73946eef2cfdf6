/** The fixture of a test. */
import { beforeEach } from '@jest/globals';

/**
 * Creates a new fixture before each test of a file.
 * @returns the parts of the fixture for the current test, to be read inside tests
 */
export function setUpFixture<Parts extends object>(make: () => Promise<Parts>): Parts {
  const parts = {} as Parts;
  beforeEach(async () => {
    Object.assign(parts, await make());
  });
  return parts;
}
