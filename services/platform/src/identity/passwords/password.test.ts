import { describe, expect, test } from '@jest/globals';
import { hashPassword, isHashOutdated, isPassword, knownOrigin, unknownNetwork } from './password.ts';

const origin = knownOrigin('test');

describe('a password', () => {
  test('matches its own hash only', async () => {
    const stored = await hashPassword('correct horse battery', origin);
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await isPassword('correct horse battery', stored, origin)).toBe(true);
    expect(await isPassword('correct horse batterz', stored, origin)).toBe(false);
  });

  test('does not match a missing hash', async () => {
    expect(await isPassword('', null, origin)).toBe(false);
    expect(await isPassword('anything at all', null, origin)).toBe(false);
  });

  test('is rejected after the same time if the account does not exist', async () => {
    const stored = await hashPassword('correct horse battery', origin);
    const took = async (hash: string | null) => {
      const started_at = performance.now();
      await isPassword('wrong', hash, origin);
      return performance.now() - started_at;
    };
    const [known, unknown]: [number[], number[]] = [[], []];
    const ratio = () => Math.min(...unknown) / Math.min(...known);
    const isEqual = () => ratio() > 0.6 && ratio() < 1.6;
    // Compares the fastest run of each, since other load on the machine only adds time. A busy machine needs more runs.
    for (let round = 0; round < 12 || (round < 200 && !isEqual()); round += 1) {
      known.push(await took(stored));
      unknown.push(await took(null));
    }
    expect(isEqual()).toBe(true);
  });

  test('needs a new hash if it was hashed with other parameters', async () => {
    expect(isHashOutdated(await hashPassword('x', origin))).toBe(false);
    expect(isHashOutdated('$argon2id$v=19$m=4096,t=3,p=1$c2FsdHNhbHQ$aGFzaA')).toBe(true);
  });
});

test('rejects only the hashes of the network that floods', async () => {
  const flood = Array.from({ length: 40 }, () => isPassword('wrong', null, unknownNetwork('192.0.2.1')));
  const other = isPassword('wrong', null, unknownNetwork('192.0.2.2'));
  const device = isPassword('wrong', null, knownOrigin('device'));
  const settled = await Promise.allSettled(flood);
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(24);
  expect(await Promise.all([other, device])).toEqual([false, false]);
});

test('leaves capacity for known devices during a flood from many networks', async () => {
  const flood = Array.from({ length: 100 }, (_, at) => isPassword('wrong', null, unknownNetwork(`192.0.2.${at}`)));
  const ended: string[] = [];
  const settled = Promise.allSettled(flood).then(() => ended.push('flood'));
  await isPassword('wrong', null, knownOrigin('device')).then(() => ended.push('device'));
  await settled;
  expect(ended).toEqual(['device', 'flood']);
});
