import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Caller } from '@suite/chassis/gateway';
import { keysOf } from '../../test/keys.ts';
import { serviceTokenSigner } from './service-token.ts';

const kim = { user_id: 'kim', workspace_id: 'w' } as Caller;

beforeEach(() => void jest.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') }));
afterEach(() => void jest.useRealTimers());

test.each([
  ['a caller', kim],
  ['no caller', null],
])('reuses a token for %s during half of its lifetime', (_name, caller) => {
  const signToken = serviceTokenSigner(keysOf('gateway'));
  const session = caller && { caller, service_tokens: new Map() };
  const signed = Array.from({ length: 180 }, () => {
    const bearer = signToken('crm', session);
    jest.advanceTimersByTime(1_000);
    const { exp } = JSON.parse(Buffer.from(bearer.split('.')[1] ?? '', 'base64url').toString());
    return { bearer, left_s: exp - (Date.now() / 1_000 - 1) };
  });
  expect(Math.min(...signed.map(({ left_s }) => left_s))).toBeGreaterThanOrEqual(30);
  expect(Math.max(...signed.map(({ left_s }) => left_s))).toBe(60);
  expect(new Set(signed.map(({ bearer }) => bearer)).size).toBe(6);
});

test('each service gets a token that is valid for that service only', () => {
  const signToken = serviceTokenSigner(keysOf('gateway'));
  const session = { caller: kim, service_tokens: new Map() };
  for (const service of ['crm', 'platform']) {
    const token = signToken(service, session).slice('Bearer '.length);
    expect(keysOf(service).verify(token, service).caller).toEqual(kim);
  }
  expect(signToken('crm', session)).not.toBe(signToken('platform', session));
});
