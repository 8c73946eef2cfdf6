import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { blindIndex, DecryptionFailed, open, encrypt } from './cipher.ts';

const key = { name: randomUUID(), bytes: randomBytes(32) };
const workspace = randomUUID();
const place = { table: 'employees', column: 'bank_sealed', id: randomUUID() };
const opened = (sealed: string, at = place, of = workspace, by = key) => open(() => by, of, at, sealed);

describe('an encrypted value', () => {
  test('opens in its place for any text, and is encrypted differently each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const [one, other] = [encrypt(key, workspace, place, text), encrypt(key, workspace, place, text)];
        expect(opened(one)).toBe(text);
        expect(one).not.toBe(other);
      }),
    );
  });

  test('has the form v1.<key>.<nonce>.<ciphertext>', () => {
    const [version, name, nonce = '', rest = ''] = encrypt(key, workspace, place, 'DE02').split('.');
    expect([version, name, Buffer.from(nonce, 'base64url').length]).toEqual(['v1', key.name, 12]);
    expect(Buffer.from(rest, 'base64url')).toHaveLength(4 + 16);
  });

  test.each([
    ['another row', { ...place, id: randomUUID() }, workspace],
    ['another column', { ...place, column: 'tax_id_sealed' }, workspace],
    ['another table', { ...place, table: 'promotions' }, workspace],
    ['another workspace', place, randomUUID()],
  ])('cannot be opened in %s', (_, at, of) => {
    expect(() => opened(encrypt(key, workspace, place, '4250.00'), at, of)).toThrow(DecryptionFailed);
  });

  test('cannot be opened after changing a bit, truncating it, or with another key', () => {
    const sealed = encrypt(key, workspace, place, '4250.00');
    const [version, name, nonce = '', rest = ''] = sealed.split('.');
    for (let at = 0; at < Buffer.from(rest, 'base64url').length; at += 1) {
      const bytes = Buffer.from(rest, 'base64url');
      bytes[at]! ^= 1;
      expect(() => opened([version, name, nonce, bytes.toString('base64url')].join('.'))).toThrow(DecryptionFailed);
    }
    const short = Buffer.from(rest, 'base64url').subarray(-8).toString('base64url');
    for (const wrong of [
      '',
      'v1',
      '4250.00',
      sealed.replace('v1', 'v2'),
      `${sealed}.x`,
      `v1.${name}.${nonce}.${short}`,
    ])
      expect(() => opened(wrong)).toThrow(DecryptionFailed);
    expect(() => opened(sealed, place, workspace, { ...key, bytes: randomBytes(32) })).toThrow(DecryptionFailed);
  });

  test('reveals nothing about its text if it does not open', () => {
    const sealed = encrypt(key, workspace, place, 'secret');
    expect(() => opened(sealed, { ...place, id: workspace })).toThrow(
      `The encrypted value of employees.bank_sealed of ${workspace} does not open: it was changed, or belongs elsewhere.`,
    );
  });
});

describe('a blind index', () => {
  test('ignores the spelling of a value, and differs by field, value and key', () => {
    const index = blindIndex(key, 'tax_id', 'DE 12-345.678');
    expect(blindIndex(key, 'tax_id', 'de12345678')).toEqual(index);
    expect(blindIndex(key, 'national_id', 'de12345678')).not.toEqual(index);
    expect(blindIndex(key, 'tax_id', 'de12345679')).not.toEqual(index);
    expect(blindIndex({ ...key, bytes: randomBytes(32) }, 'tax_id', 'de12345678')).not.toEqual(index);
  });
});
