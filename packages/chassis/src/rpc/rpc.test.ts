import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { freePort } from '@suite/local/ports';
import { keysOf, kim as person, silentLog } from '../../test/fixture.ts';
import type { Database } from '../database/database.ts';
import { Fault, fault, invalid } from '../runtime/fault.ts';
import type { Storage } from '../storage/storage.ts';
import type { Keys } from '../identity/identity.ts';
import { connectRpc, type RpcContext, serveRpc, startRpcServer } from './rpc.ts';

// The deadlines themselves are tested here, with their values outside of tests.
process.env['DEADLINE_FACTOR'] = '1';
const keys = keysOf('gateway', 'platform', 'crm') as Record<'gateway' | 'platform' | 'crm', Keys>;
const stranger = keysOf('crm')['crm']!;
const EmailTaken = fault(409, 'email_taken', 'Diese Adresse ist vergeben – schon länger.');
/** Kim as crm receives them from the gateway. */
const kim = keys.crm.verify(keys.gateway.sign('crm', person), 'crm').caller!;

let server: Awaited<ReturnType<typeof startRpcServer>>;
let contexts: RpcContext[] = [];
const called = { batchGetUsers: 0, ensureClientUser: 0 };
let ensure = async (): Promise<object> => ({ created: true });

const platform = serveRpc(
  PlatformServiceDefinition,
  {
    async introspect() {
      await pause(60_000, undefined, { ref: false });
      return {};
    },
    async batchGetUsers({ user_ids }, context) {
      called.batchGetUsers += 1;
      contexts.push(context);
      return { users: user_ids.map((user_id) => ({ user_id, name: 'x'.repeat(user_id === 'huge' ? 5_000_000 : 1) })) };
    },
    batchGetRights: async () => ({}),
    async ensureClientUser() {
      called.ensureClientUser += 1;
      return await ensure();
    },
    ensureStaffUser: async () => ({}),
    signInToTrack: async () => ({}),
    getWorkspace: async () => ({}),
    reportStorage: async () => ({}),
    sendSms: async () => ({}),
    prepareEmail: async () => ({}),
    getLetterhead: async (_, context) => {
      contexts.push(context);
      return {};
    },
  },
  ['getLetterhead'],
);

const at = (port: number) => ({
  host: '127.0.0.1',
  port,
  services: [platform],
  keys: keys.platform,
  database: {} as Database,
  storage: {} as Storage,
  log: silentLog,
});
const serve = (port: number) => startRpcServer(at(port));

const client = (signer: Keys = keys.crm, name = 'platform', address = `127.0.0.1:${server.port}`) => {
  const rpc = connectRpc({ [name]: { definition: PlatformServiceDefinition, address } }, signer);
  return { rpc, platform: rpc.as(kim, 'request-1')[name]! };
};

const failure = async (call: Promise<unknown>): Promise<Fault> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Fault);
  return error as Fault;
};

beforeAll(async () => {
  server = await serve(0);
});

afterAll(() => server.stop(100));

describe('a call', () => {
  test('arrives with its caller, request ID and calling service', async () => {
    contexts = [];
    const { rpc, platform } = client();
    expect(await platform.batchGetUsers({ user_ids: ['a'] })).toMatchObject({ users: [{ user_id: 'a' }] });
    await rpc.as(null, 'request-2')['platform']!.batchGetUsers({ user_ids: [] });
    expect(contexts).toMatchObject([
      { caller: person, issuer: 'crm', request_id: 'request-1' },
      { caller: null, issuer: 'crm', request_id: 'request-2' },
    ]);
    rpc.close();
  });

  test('carries a separate token for each service', async () => {
    const other = await startRpcServer({ ...at(0), keys: keys.gateway });
    const definition = PlatformServiceDefinition;
    const services = {
      platform: { definition, address: `127.0.0.1:${server.port}` },
      gateway: { definition, address: `127.0.0.1:${other.port}` },
    };
    const rpc = connectRpc(services, keys.crm);
    for (const clients of [rpc.as(kim, 'request-1'), rpc.as(kim, 'request-2')]) {
      for (const each of Object.values(clients)) {
        expect(await each.batchGetUsers({ user_ids: [] })).toEqual({ users: [] });
      }
    }
    rpc.close();
    await other.stop(100);
  });

  test.each([
    ['without a token', () => ({ ...keys.crm, speak: () => ({ token: '' }) })],
    ['with a token for another service', () => ({ ...keys.crm, speak: () => keys.crm.speak('crm', kim) })],
    ['signed by an unknown process that uses a known name', () => stranger],
    ['with an invalid token', () => ({ ...keys.crm, speak: () => ({ token: 'a.b.c' }) })],
  ])('is rejected %s', async (_, signer) => {
    const before = called.batchGetUsers;
    const { rpc, platform } = client(signer());
    expect(await failure(platform.batchGetUsers({ user_ids: [] }))).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
    expect(called.batchGetUsers).toBe(before);
    rpc.close();
  });

  test('is rejected before it is sent if databases cannot store its text', async () => {
    const before = called.batchGetUsers;
    const { rpc, platform } = client();
    for (const text of ['Ada \ud800', 'Ada \0']) {
      const refused = { status: 422, errors: { 'user_ids.1': [expect.any(String)] } };
      expect(await failure(platform.batchGetUsers({ user_ids: ['a', text] }))).toMatchObject(refused);
    }
    expect(called.batchGetUsers).toBe(before);
    rpc.close();
  });

  test('ends at its deadline', async () => {
    const { rpc, platform } = client();
    const ended: (number | undefined)[] = [];
    // The answer would come after a minute. A busy machine delays all calls, but keeps their order.
    const calls = [undefined, 3_000, 1_900, 500, 300].map(async (deadline) => {
      const late = await failure(platform.introspect({}, deadline ? { deadline } : {}));
      expect(late).toMatchObject({ status: 504, code: 'platform_timeout' });
      ended.push(deadline);
    });
    await Promise.all(calls);
    expect(ended).toEqual([300, 500, 1_900, undefined, 3_000]);
    rpc.close();
  });

  test('ends when its caller stops waiting, even with a longer deadline of its own', async () => {
    const { rpc } = client();
    const waiting = rpc.as(kim, 'request-1', performance.now() + 300)['platform']!;
    for (const own of [{}, { deadline: 60_000 }]) {
      expect(await failure(waiting.introspect({}, own))).toMatchObject({ status: 504, code: 'platform_timeout' });
    }
    rpc.close();
  });

  test('names a service that is down, before the deadline', async () => {
    const { rpc, platform } = client(keys.crm, 'platform', `127.0.0.1:${await freePort()}`);
    expect(await failure(platform.batchGetUsers({ user_ids: [] }))).toMatchObject({
      status: 503,
      code: 'platform_unavailable',
    });
    rpc.close();
  });

  test('is retried until a service returns if it is repeatable, and not otherwise', async () => {
    const port = await freePort();
    const { rpc, platform } = client(keys.crm, 'platform', `127.0.0.1:${port}`);
    ensure = async () => ({ created: true });
    const before = called.ensureClientUser;
    const plain = failure(platform.ensureClientUser({ email: 'a@b.c' }));
    const idempotent = platform.ensureClientUser({ email: 'a@b.c', idempotency_key: 'k' });
    const read = platform.batchGetUsers({ user_ids: ['a'] });
    await pause(30);
    const back = await serve(port);
    expect((await plain).code).toBe('platform_unavailable');
    expect(await idempotent).toMatchObject({ created: true });
    expect(await read).toMatchObject({ users: [{ user_id: 'a' }] });
    expect(called.ensureClientUser - before).toBe(1);
    rpc.close();
    await back.stop(100);
  });

  test('is not retried after the server aborted it, unless it is safe', async () => {
    const port = await freePort();
    const breaking = await serve(port);
    const { rpc, platform } = client(keys.crm, 'platform', `127.0.0.1:${port}`);
    const before = called.ensureClientUser;
    ensure = () => pause(60_000, {}, { ref: false });
    const call = failure(platform.ensureClientUser({ email: 'a@b.c' }));
    await pause(200);
    await breaking.stop(0);
    expect((await call).code).toBe('platform_unavailable');
    expect(called.ensureClientUser - before).toBe(1);
    rpc.close();
  });

  test('is rejected if the response exceeds 4 MiB', async () => {
    const { rpc, platform } = client();
    expect((await failure(platform.batchGetUsers({ user_ids: ['huge'] }))).status).toBe(503);
    rpc.close();
  });
});

describe('a fault', () => {
  test('comes back unchanged, with its details', async () => {
    const { rpc, platform } = client();
    ensure = async () => {
      throw EmailTaken({ user_id: 'u1' });
    };
    const taken = await failure(platform.ensureClientUser({}));
    expect({ ...taken, message: taken.message }).toMatchObject({
      status: 409,
      code: 'email_taken',
      message: 'Diese Adresse ist vergeben – schon länger.',
      details: { user_id: 'u1' },
    });
    ensure = async () => {
      throw invalid('email', 'This is not an address.');
    };
    expect(await failure(platform.ensureClientUser({}))).toMatchObject({
      status: 422,
      errors: { email: ['This is not an address.'] },
    });
    rpc.close();
  });

  test('hides the error if it is a bug', async () => {
    const { rpc, platform } = client();
    ensure = async () => {
      throw new Error('secret of the database');
    };
    const bug = await failure(platform.ensureClientUser({}));
    expect(bug).toMatchObject({ status: 500, code: 'internal' });
    expect(`${bug.message}${JSON.stringify(bug)}`).not.toContain('secret');
    rpc.close();
  });
});
