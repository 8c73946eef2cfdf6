import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { keysOf, temporaryDirectory } from '../../test/fixture.ts';
import { fingerprints, type Keys, loadKeys } from './identity.ts';

const { crm } = keysOf('crm') as { crm: Keys };

describe('a process whose signing key is rotated', () => {
  const directory = temporaryDirectory();
  const next = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = (key: KeyObject) =>
    key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' }) as string;
  const write = (name: string, key: KeyObject) => writeFileSync(join(directory, name), pem(key));
  mkdirSync(join(directory, 'trusted'));
  write('private.pem', crm.private_key);
  write('signing.pem', next.privateKey);
  write('trusted/crm.pem', crm.trusted.get('crm')![0]!);
  write('trusted/crm.second.pem', next.publicKey);
  const rotated = loadKeys('crm', directory);
  afterAll(() => rmSync(directory, { recursive: true }));

  test('uses its new key, which only processes that have both public keys accept', () => {
    const token = rotated.sign('crm', null);
    expect(rotated.verify(token, 'crm').issuer).toBe('crm');
    expect(() => crm.verify(token, 'crm')).toThrow('Sign in');
  });

  test('still accepts tokens of the previous key, but of no other key', () => {
    expect(rotated.verify(crm.sign('crm', null), 'crm').issuer).toBe('crm');
    expect(() => rotated.verify(keysOf('crm')['crm']!.sign('crm', null), 'crm')).toThrow('Sign in');
  });

  test('keeps its derived secrets', () => {
    expect(fingerprints(rotated)({ body: 1 })).toBe(fingerprints(crm)({ body: 1 }));
  });
});
