/**
 * Entitlements at the gateway: expiry of a plan, its request limit, and the header that notifies owners of a due
 * payment.
 */
import { describe, expect, test } from '@jest/globals';
import { clock } from '@suite/chassis/gateway';
import type { IntrospectResponse } from '@suite/proto/platform/v1/platform';
import { freezeClock } from '@suite/testing';
import { sendRequest } from '../../test/http-client.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';
import type { SignedInUser } from '../../test/signed-in-user.ts';

const { gateway, startAnother, crm, introspection, signIn } = await gatewayFixture();
const read = (person: SignedInUser, url = gateway.url) =>
  sendRequest(url, '/api/leads', { headers: { authorization: person.authorization } });

/** Returns a user, as described by platform, with these changes. */
function known(changes: Partial<IntrospectResponse>): SignedInUser {
  const person = signIn();
  person.changes = changes;
  return person;
}

describe('a grace', () => {
  test('ends on time: the gateway asks platform again and forwards the new modules', async () => {
    const still = freezeClock(clock.now().toISOString());
    const until = new Date(clock.now().getTime() + 1_000);
    const kim = known({ entitled_until: until.toISOString(), modules: ['crm', 'sales'] });
    expect((await read(kim)).status).toBe(200);
    const asked = introspection.requests.length;
    expect((await read(kim)).status).toBe(200);
    expect(introspection.requests.length).toBe(asked);
    kim.changes = { modules: ['crm'] };
    still.goTo(new Date(until.getTime() - 1).toISOString());
    await read(kim);
    expect(crm.received.at(-1)?.caller?.modules).toEqual(['crm', 'sales']);
    still.goTo(until.toISOString());
    await read(kim);
    expect(introspection.requests.length).toBe(asked + 1);
    expect(crm.received.at(-1)?.caller?.modules).toEqual(['crm']);
  });

  test('is shown in every response to owners only', async () => {
    const entitled_until = new Date(clock.now().getTime() + 86_400_000).toISOString();
    const due = { subscription_status: 'past_due', entitled_until };
    const told = async (changes: Partial<IntrospectResponse>) =>
      (await read(known(changes))).headers['subscription-status'];
    expect(await told({ ...due, user_kind: 'owner' })).toBe(`past_due; until=${entitled_until}`);
    expect(await told({ ...due, user_kind: 'staff' })).toBeUndefined();
    expect(await told({ ...due, user_kind: 'client' })).toBeUndefined();
    expect(await told({ user_kind: 'owner', subscription_status: 'active' })).toBeUndefined();
    expect(await told({ user_kind: 'owner', subscription_status: 'past_due' })).toBeUndefined();
  });
});

describe('the request limit of a plan', () => {
  test('is shared by the workspace, and returns 429 with its name beyond it', async () => {
    const kim = known({ limits: { api_rpm: 3 } });
    const ada = signIn(kim.workspace_id);
    ada.changes = { limits: { api_rpm: 3 } };
    const answers = [await read(kim), await read(ada), await read(kim), await read(ada)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers[0]?.headers['ratelimit-policy']).toContain('"workspace"; q=3; w=60');
    expect(answers[3]).toMatchObject({
      body: { code: 'rate_limited', details: { limit: 'api_rpm', allowed: 3 } },
    });
    expect(answers[3]?.headers['retry-after']).toMatch(/^\d{1,2}$/);
    expect((await read(signIn())).status).toBe(200);
  });

  test('does not exceed the published limit', async () => {
    const { url } = await startAnother({ RATE_LIMITS: JSON.stringify({ workspace: 2 }) });
    const kim = known({ limits: { api_rpm: 1_000 } });
    const answers = [await read(kim, url), await read(kim, url), await read(kim, url)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.body.details).not.toHaveProperty('limit');
  });
});

test('forwards to services only the limits that they enforce', async () => {
  await read(known({ limits: { users: 5, customers: 100, api_rpm: 50 } }));
  expect(crm.received.at(-1)?.caller?.limits).toEqual({ customers: 100 });
  await read(known({ limits: { users: 5 } }));
  expect(crm.received.at(-1)?.caller).not.toHaveProperty('limits');
});
