import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { linkTokens, prefixedTokens } from './workspace-token.ts';

const workspace_id = '0199a1b2-c3d4-7e5f-8061-728394a5b6c7';
const SECRET = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');

describe.each([
  ['of a link', linkTokens],
  ['with a prefix', prefixedTokens('mbx')],
])('a token %s', (_, tokens) => {
  test('contains its workspace and matches its stored parts', () => {
    for (const id of [workspace_id, randomUUID(), '00000000-0000-0000-0000-000000000000']) {
      const { token, stored } = tokens.make(id);
      expect(tokens.read(token)).toEqual({ workspace_id: id, token_hash: stored.token_hash });
      expect(token).toContain(stored.token_hint);
    }
  });

  test('is different each time', () => {
    const made = new Set(Array.from({ length: 100 }, () => tokens.make(workspace_id).token));
    expect(made.size).toBe(100);
  });

  test('is rejected with any other characters', () => {
    const { token } = tokens.make(workspace_id);
    for (const other of ['', 'token', `${token}x`, ` ${token}`, `${token}\n`, token.slice(1), token.slice(0, -1)])
      expect(tokens.read(other)).toBeUndefined();
  });
});

test('keeps existing tokens valid', () => {
  const link = linkTokens.read(`AZmhssPUfl-AYXKDlKW2xw.${SECRET}`);
  expect([link?.workspace_id, hex(link?.token_hash)]).toEqual([workspace_id, sha256(SECRET)]);
  const token = `mbx_0199a1b2c3d47e5f8061728394a5b6c7_${SECRET}`;
  const mailbox = prefixedTokens('mbx').read(token);
  expect([mailbox?.workspace_id, hex(mailbox?.token_hash)]).toEqual([workspace_id, sha256(token)]);
});

test('rejects a token with another prefix', () => {
  expect(prefixedTokens('mbx').read(prefixedTokens('dev').make(workspace_id).token)).toBeUndefined();
});
