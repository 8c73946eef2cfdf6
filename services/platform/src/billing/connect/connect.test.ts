import { describe, expect, test } from '@jest/globals';
import { start, sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { deliver } from '../../../test/customers.ts';
import { startFakeStripe } from '../../../test/stripe.ts';
import { openInstance, operate, type TestInstance } from '../../../test/white-label.ts';
import { accountState } from './account.rules.ts';

const platform = await start(contents);
// A long timeout of the fake, so that only the operation's own deadline ends a call.
const stripe = await startFakeStripe({ timeout_ms: 3_600_000 });

const ONBOARD = '/api/wl/connect/onboard';
const STATUS = '/api/wl/connect/status';
const input = ({ domain }: TestInstance, more: object = {}) => ({
  country: 'DE',
  return_url: `https://${domain}/done`,
  refresh_url: `https://${domain}/again`,
  ...more,
});
const statusOf = async ({ program }: TestInstance, query = '') => (await program.get(`${STATUS}${query}`)).body.data;
const onboarded = async (instance: TestInstance) => {
  const { body } = await instance.program.post(ONBOARD, input(instance));
  return stripe.accounts.get(body.data.provider_account_id);
};

describe('a connected account', () => {
  test('returns 404 before it is created', async () => {
    const instance = await openInstance(platform);
    expect(await statusOf(instance)).toMatchObject({ status: 'none', provider_account_id: null, synced_at: null });
    expect(await statusOf(instance, '?refresh=true')).toMatchObject({ status: 'none' });
  });

  test('is created once, and each call returns a new link that is never stored', async () => {
    const instance = await openInstance(platform);
    const first = await instance.program.post(ONBOARD, input(instance));
    const second = await instance.program.post(ONBOARD, input(instance));
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body.data.provider_account_id).toBe(first.body.data.provider_account_id);
    expect(second.body.data.onboarding_url).not.toBe(first.body.data.onboarding_url);
    expect(first.body.data).toMatchObject({
      status: 'pending',
      requirements: { currently_due: ['business_profile.url'] },
    });
    const [row] =
      await platform.sql`SELECT to_jsonb(a) AS row FROM connect_accounts AS a WHERE wl_instance_id = ${instance.id}`;
    expect(JSON.stringify(row)).not.toContain('connect.stripe.test');
    const log =
      await platform.sql`SELECT FROM journal_changes WHERE coalesce(before::text, '') || coalesce(after::text, '') LIKE '%connect.stripe.test%'`;
    expect(log).toEqual([]);
  });

  test('is created once for many concurrent requests', async () => {
    const instance = await openInstance(platform);
    const replies = await runConcurrently(10, () => instance.program.post(ONBOARD, input(instance)));
    expect(sortedStatuses(replies)).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(replies.map(({ body }) => body.data.provider_account_id)).size).toBe(1);
    const accounts = [...stripe.accounts.values()].filter(({ metadata }) => metadata.wl_instance_id === instance.id);
    expect(accounts).toHaveLength(1);
  });

  test('keeps its country, and returns its owner to the instance', async () => {
    const instance = await openInstance(platform);
    await onboarded(instance);
    expect(await instance.program.post(ONBOARD, input(instance, { country: 'FR' }))).toMatchObject({
      status: 409,
      body: { code: 'country_fixed' },
    });
    expect(
      await instance.program.post(ONBOARD, input(instance, { return_url: 'https://evil.example/' })),
    ).toMatchObject({
      status: 422,
      body: { code: 'url_not_allowed', errors: { return_url: expect.anything() } },
    });
  });

  test('allows ten links an hour', async () => {
    freezeClock('2030-01-01T08:00:00.000Z');
    const instance = await openInstance(platform);
    for (let link = 1; link <= 10; link += 1) await instance.program.post(ONBOARD, input(instance));
    const response = await instance.program.post(ONBOARD, input(instance));
    expect(response).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(response.headers.get('retry-after')).toBe('3600');
  });

  test('adopts its state from the provider', async () => {
    const instance = await openInstance(platform);
    const account = await onboarded(instance);
    const tell = () => deliver(platform, stripe.event('account.updated', account, { account: account.id }));
    Object.assign(account, { details_submitted: true });
    await tell();
    expect(await statusOf(instance)).toMatchObject({ status: 'restricted', details_submitted: true });
    Object.assign(account, { charges_enabled: true, payouts_enabled: true });
    await tell();
    expect(await statusOf(instance)).toMatchObject({ status: 'enabled' });
    account.requirements.past_due = ['external_account'];
    expect(await statusOf(instance, '?refresh=true')).toMatchObject({
      status: 'restricted',
      requirements: { past_due: ['external_account'] },
    });
    account.requirements.disabled_reason = 'rejected.fraud';
    await tell();
    Object.assign(account.requirements, { disabled_reason: null, past_due: [] });
    await tell();
    expect(await statusOf(instance)).toMatchObject({ status: 'disabled' });
  });

  test('can be replaced after it was disabled only if an operator allows it', async () => {
    const instance = await openInstance(platform);
    const account = await onboarded(instance);
    await deliver(platform, stripe.event('account.application.deauthorized', { id: 'ca_1' }, { account: account.id }));
    expect(await statusOf(instance)).toMatchObject({ status: 'disabled' });
    expect(await instance.program.post(ONBOARD, input(instance))).toMatchObject({
      status: 409,
      body: { code: 'connect_disabled' },
    });
    await operate(platform, 'reconnect', instance.name, '--mode', 'test');
    await expect(operate(platform, 'reconnect', instance.name)).rejects.toThrow('has no disabled live account');
    const reply = await instance.program.post(ONBOARD, input(instance, { country: 'FR' }));
    expect(reply.status).toBe(201);
    expect(reply.body.data.provider_account_id).not.toBe(account.id);
  });

  test('is returned as last reported if the provider hangs, before the gateway times out', async () => {
    const instance = await openInstance(platform);
    await onboarded(instance);
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    stripe.meanwhile = (call) => (call.startsWith('GET /v1/accounts') ? held : undefined);
    expect(await instance.program.get(`${STATUS}?refresh=true`)).toMatchObject({
      status: 504,
      body: { code: 'provider_timeout' },
    });
    stripe.meanwhile = undefined;
    goOn();
    expect(await statusOf(instance)).toMatchObject({ status: 'pending' });
  });

  test('sends at most six requests a minute to the provider', async () => {
    freezeClock('2030-01-01T08:00:00.000Z');
    const instance = await openInstance(platform);
    await onboarded(instance);
    for (let ask = 1; ask <= 6; ask += 1)
      expect((await instance.program.get(`${STATUS}?refresh=true`)).status).toBe(200);
    expect((await instance.program.get(`${STATUS}?refresh=true`)).status).toBe(429);
    expect((await instance.program.get(STATUS)).status).toBe(200);
  });
});

describe('the state of an account', () => {
  const facts = { charges_enabled: true, payouts_enabled: true, details_submitted: true };
  const due = { currently_due: [], past_due: [], eventually_due: [], current_deadline: null, disabled_reason: null };
  test.each([
    [{ details_submitted: false }, {}, 'pending'],
    [{ charges_enabled: false }, {}, 'restricted'],
    [{ payouts_enabled: false }, {}, 'restricted'],
    [{}, { past_due: ['x'] }, 'restricted'],
    [{}, { currently_due: ['x'] }, 'enabled'],
    [{}, { disabled_reason: 'rejected.terms_of_service' }, 'disabled'],
    [{ charges_enabled: false }, { disabled_reason: 'requirements.past_due' }, 'restricted'],
  ])('is derived from %j and %j: %s', (more, requirements, expected) => {
    expect(accountState({ ...facts, ...more, requirements: { ...due, ...requirements } })).toBe(expected);
  });
});
