import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Caller } from '@suite/chassis/gateway';
import { keysOf } from '../../test/keys.ts';
import { introducer } from './service-token.ts';

const kim = { user_id: 'kim', workspace_id: 'w' } as Caller;

beforeEach(() => void jest.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') }));
afterEach(() => void jest.useRealTimers());

test.each([
  ['a caller', kim],
  ['nobody we know', null],
])('the identity of %s goes inward with half of its life left, and is signed once until then', (_name, caller) => {
  const introduce = introducer(keysOf('gateway'));
  const known = caller && { caller, inward: new Map() };
  const spoken = Array.from({ length: 180 }, () => {
    const bearer = introduce('crm', known);
    jest.advanceTimersByTime(1_000);
    const { exp } = JSON.parse(Buffer.from(bearer.split('.')[1] ?? '', 'base64url').toString());
    return { bearer, left_s: exp - (Date.now() / 1_000 - 1) };
  });
  expect(Math.min(...spoken.map(({ left_s }) => left_s))).toBeGreaterThanOrEqual(30);
  expect(Math.max(...spoken.map(({ left_s }) => left_s))).toBe(60);
  expect(new Set(spoken.map(({ bearer }) => bearer)).size).toBe(6);
});

test('each service gets a token that is good for it alone', () => {
  const introduce = introducer(keysOf('gateway'));
  const known = { caller: kim, inward: new Map() };
  for (const service of ['crm', 'platform']) {
    const token = introduce(service, known).slice('Bearer '.length);
    expect(keysOf(service).verify(token, service).caller).toEqual(kim);
  }
  expect(introduce('crm', known)).not.toBe(introduce('platform', known));
});
