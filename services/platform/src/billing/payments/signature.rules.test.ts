import { describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { sign, verifySignature } from './signature.rules.ts';

const now = new Date('2026-06-10T08:00:00.000Z');
const at = now.getTime() / 1_000;
const body = Buffer.from('{"id":"evt_1"}');
const [one, other] = [{ secret: 'whsec_one' }, { secret: 'whsec_other' }];
const by = (header: string, secrets = [one, other], of = body) => verifySignature(secrets, header, of, now);

describe('the signature of an event', () => {
  test('identifies the secret that signed it', () => {
    expect(by(sign('whsec_other', at, body))).toBe(other);
    expect(by(sign('whsec_one', at, body))).toBe(one);
  });

  test('matches the signature that the provider creates', () => {
    const stripe = new Stripe('sk_test');
    const header = stripe.webhooks.generateTestHeaderString({
      payload: String(body),
      secret: 'whsec_one',
      timestamp: at,
    });
    expect(by(header)).toBe(one);
    expect(
      stripe.webhooks.signature!.verifyHeader(
        String(body),
        sign('whsec_one', at, body),
        'whsec_one',
        300,
        undefined,
        now.getTime(),
      ),
    ).toBe(true);
  });

  test('can be one of several during a rotation', () => {
    const [t, v1] = sign('whsec_one', at, body).split(',');
    expect(by(`${t},v1=${'0'.repeat(64)},${v1},v0=x`)).toBe(one);
  });

  test.each([
    ['', 'nothing'],
    [`t=${at}`, 'no signature'],
    [`v1=${'0'.repeat(64)}`, 'no moment'],
    [sign('whsec_none', at, body), 'another secret'],
    [sign('whsec_one', at, Buffer.from('{}')), 'another body'],
    [sign('whsec_one', at, body).replace(`t=${at}`, `t=${at + 1}`), 'another moment'],
    [sign('whsec_one', at, body).replace('v1=', 'v0='), 'another scheme'],
    [sign('whsec_one', at, body).slice(0, -1), 'a part of it'],
  ])('is invalid for the header %s: %s', (header) => {
    expect(() => by(header)).toThrow(expect.objectContaining({ status: 401, code: 'invalid_signature' }));
  });

  test('is valid for five minutes before and after', () => {
    for (const t of [at - 300, at + 300]) expect(by(sign('whsec_one', t, body))).toBe(one);
    for (const t of [at - 301, at + 301])
      expect(() => by(sign('whsec_one', t, body))).toThrow(expect.objectContaining({ code: 'stale_signature' }));
  });
});
