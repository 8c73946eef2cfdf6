/** Tests of platform and NATS outages: no caller is authenticated without platform. */
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

// Uses the production timeout for platform.
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

describe('when platform is unavailable', () => {
  test('serves cached callers for five seconds and rejects new ones with 503', async () => {
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
  }, 240_000);

  test('responds with 503 after two seconds if platform hangs, without caching it', async () => {
    introspection.beforeResponse = () => pause(2_600);
    const start = performance.now();
    expect((await enter(gateway.url)).status).toBe(503);
    expect(performance.now() - start).toBeLessThan(2_500);
    introspection.beforeResponse = undefined;
    expect((await enter(gateway.url)).status).toBe(200);
  }, 240_000);

  test('responds with 503 if platform fails', async () => {
    introspection.beforeResponse = () => {
      throw new Fault(500, 'internal', 'Something went wrong on our side. Try again later.');
    };
    expect(await enter(gateway.url)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });
});

describe('when NATS is unavailable', () => {
  test('serves requests, and applies a revocation within five seconds', async () => {
    const { url, operations_url } = await startAnother({ NATS_URL: `nats://127.0.0.1:${await freePort()}` });
    expect((await enter(url)).status).toBe(200);
    expect((await readiness(operations_url)).status).toBe(200);
    introspection.users.delete(kim);
    await pause(5_050);
    expect((await enter(url)).status).toBe(401);
  }, 240_000);

  test('clears the cache after NATS is back, because events were missed', async () => {
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
  }, 240_000);
});
