import { describe, expect, test } from '@jest/globals';
import { hashPassword, isOutdated, isPassword } from './password.ts';

describe('a password', () => {
  test('is recognised by its hash, and no other is', async () => {
    const stored = await hashPassword('correct horse battery');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await isPassword('correct horse battery', stored)).toBe(true);
    expect(await isPassword('correct horse batterz', stored)).toBe(false);
  });

  test('is never right where there is no hash', async () => {
    expect(await isPassword('', null)).toBe(false);
    expect(await isPassword('anything at all', null)).toBe(false);
  });

  test('takes as long to refuse for an account that does not exist', async () => {
    const stored = await hashPassword('correct horse battery');
    const took = async (hash: string | null) => {
      const begun = performance.now();
      await isPassword('wrong', hash);
      return performance.now() - begun;
    };
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let round = 0; round < 12; round += 1) {
      known.push(await took(stored));
      unknown.push(await took(null));
    }
    // The fastest of each, since whatever else the machine does only slows them down.
    expect(Math.min(...unknown) / Math.min(...known)).toBeGreaterThan(0.6);
    expect(Math.min(...unknown) / Math.min(...known)).toBeLessThan(1.6);
  });

  test('that was hashed with other parameters is due for a new hash', async () => {
    expect(isOutdated(await hashPassword('x'))).toBe(false);
    expect(isOutdated('$argon2id$v=19$m=4096,t=3,p=1$c2FsdHNhbHQ$aGFzaA')).toBe(true);
  });
});
