/** Outages of platform and NATS: no caller is let in without platform's answer. */
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Fault } from '@suite/chassis/gateway';
import { startNats } from '@suite/local/servers';
import { sendRequest } from '../../test/http-client.ts';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@suite/local/ports';
import type { SignedInUser } from '../../test/signed-in-user.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';
import { fakePlatform } from '../../test/fake-services.ts';

// How long platform is waited for is looked at as it is outside of tests.
process.env['DEADLINE_FACTOR'] = '1';
const { startAnother, introspection, gateway, signIn } = await gatewayFixture();
let kim: SignedInUser;
beforeEach(() => {
  kim = signIn();
  introspection.beforeResponse = undefined;
});

const enter = (base: string, person: SignedInUser = kim) =>
  sendRequest(base, '/api/leads', { headers: { authorization: person.authorization } });
const readiness = (base: string) => sendRequest(base, '/health/ready');

describe('when platform is away', () => {
  test('cached callers are served for five seconds, new ones get 503, and all are served when it is back', async () => {
    const first = await fakePlatform();
    first.users.add(kim);
    const { url, operations_url } = await startAnother({ RPC_PLATFORM: first.address });
    expect((await enter(url)).status).toBe(200);
    const began = performance.now();
    await first.stop();
    expect((await enter(url)).status).toBe(200);
    const stranger = signIn();
    const refused = await enter(url, stranger);
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(refused.headers['retry-after']).toBe('1');
    expect((await readiness(operations_url)).status).toBe(200);
    await pause(5_000 - (performance.now() - began));
    expect((await enter(url)).status).toBe(503);
    const back = await fakePlatform(Number(first.address.split(':')[1]));
    back.users.add(kim);
    const deadline = performance.now() + 5_000;
    while ((await enter(url)).status !== 200) {
      if (performance.now() > deadline) throw new Error('Platform is back, and callers are still refused.');
      await pause(50);
    }
    await back.stop();
  }, 30_000);

  test('or hangs, it is 503 after two seconds, and the failure is not cached', async () => {
    introspection.beforeResponse = () => pause(2_600);
    const start = performance.now();
    expect((await enter(gateway.url)).status).toBe(503);
    expect(performance.now() - start).toBeLessThan(2_500);
    introspection.beforeResponse = undefined;
    expect((await enter(gateway.url)).status).toBe(200);
  }, 15_000);

  test('or broken, it is 503', async () => {
    introspection.beforeResponse = () => {
      throw new Fault(500, 'internal', 'Something went wrong on our side.');
    };
    expect(await enter(gateway.url)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });
});

describe('when NATS is away', () => {
  test('the gateway serves, and a revocation takes five seconds', async () => {
    const { url, operations_url } = await startAnother({ NATS_URL: `nats://127.0.0.1:${await freePort()}` });
    expect((await enter(url)).status).toBe(200);
    expect((await readiness(operations_url)).status).toBe(200);
    introspection.users.delete(kim);
    await pause(5_050);
    expect((await enter(url)).status).toBe(401);
  }, 15_000);

  test('and comes back, the cache is cleared, because events were missed meanwhile', async () => {
    const port = await freePort();
    const directory = mkdtempSync(join(process.env['SUITE_TEST_DIR'] ?? tmpdir(), 'nats-'));
    const nats = await startNats({ directory, port });
    const { url } = await startAnother({ NATS_URL: nats.url });
    await pause(300);
    await nats.stop();
    expect((await enter(url)).status).toBe(200);
    introspection.users.delete(kim);
    expect((await enter(url)).status).toBe(200);
    const start = performance.now();
    const again = await startNats({ directory, port });
    while ((await enter(url)).status === 200) {
      if (performance.now() - start > 3_000) throw new Error('The cache of callers is not cleared.');
      await pause(20);
    }
    await again.stop();
  }, 20_000);
});
