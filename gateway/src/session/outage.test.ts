/** What the gateway does when platform or NATS is away: it never lets anybody in by guess. */
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Fault } from '@suite/chassis/gateway';
import { startNats } from '@suite/local/servers';
import { ask } from '../../test/http-client.ts';
import { freePort } from '../../test/free-port.ts';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Person } from '../../test/signed-in-user.ts';
import { stage } from '../../test/gateway-fixture.ts';
import { platformStandIn } from '../../test/fake-services.ts';

const { another, introspection, gateway, signIn } = await stage();
let kim: Person;
beforeEach(() => {
  kim = signIn();
  introspection.before = undefined;
});

const enter = (base: string, person: Person = kim) =>
  ask(base, '/api/leads', { headers: { authorization: person.authorization } });
const readiness = (base: string) => ask(base, '/health/ready');

describe('when platform is away', () => {
  test('those who are known stay five seconds, then it is 503; nobody new comes in; and all is well when it is back', async () => {
    const first = await platformStandIn();
    first.people.add(kim);
    const { url, operations_url } = await another({ RPC_PLATFORM: first.address });
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
    const back = await platformStandIn(Number(first.address.split(':')[1]));
    back.people.add(kim);
    const deadline = performance.now() + 5_000;
    while ((await enter(url)).status !== 200) {
      if (performance.now() > deadline) throw new Error('Platform is back, and nobody is let in.');
      await pause(50);
    }
    await back.stop();
  }, 30_000);

  test('or hangs, it is 503 after two seconds, and nothing of that is kept', async () => {
    introspection.before = () => pause(2_600);
    const start = performance.now();
    expect((await enter(gateway.url)).status).toBe(503);
    expect(performance.now() - start).toBeLessThan(2_500);
    introspection.before = undefined;
    expect((await enter(gateway.url)).status).toBe(200);
  }, 15_000);

  test('or broken, it is 503', async () => {
    introspection.before = () => {
      throw new Fault(500, 'internal', 'Something went wrong on our side.');
    };
    expect(await enter(gateway.url)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });
});

describe('when NATS is away', () => {
  test('the gateway serves, and a revocation takes five seconds', async () => {
    const { url, operations_url } = await another({ NATS_URL: `nats://127.0.0.1:${await freePort()}` });
    expect((await enter(url)).status).toBe(200);
    expect((await readiness(operations_url)).status).toBe(200);
    introspection.people.delete(kim);
    await pause(5_050);
    expect((await enter(url)).status).toBe(401);
  }, 15_000);

  test('and comes back, everybody is asked for again, for what was announced meanwhile', async () => {
    const port = await freePort();
    const directory = mkdtempSync(join(process.env['SUITE_TEST_DIR'] ?? tmpdir(), 'nats-'));
    const nats = await startNats({ directory, port });
    const { url } = await another({ NATS_URL: nats.url });
    await pause(300);
    await nats.stop();
    expect((await enter(url)).status).toBe(200);
    introspection.people.delete(kim);
    expect((await enter(url)).status).toBe(200);
    const start = performance.now();
    const again = await startNats({ directory, port });
    while ((await enter(url)).status === 200) {
      if (performance.now() - start > 3_000) throw new Error('What was known is not forgotten.');
      await pause(20);
    }
    await again.stop();
  }, 20_000);
});
