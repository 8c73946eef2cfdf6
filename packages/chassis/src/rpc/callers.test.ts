import { afterAll, expect, test } from '@jest/globals';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { keysOf, kim as person, silentLog } from '../../test/fixture.ts';
import type { Database } from '../database/database.ts';
import type { TransactionContext } from '../database/running.ts';
import type { Storage } from '../storage/storage.ts';
import type { Caller, Keys } from '../identity/identity.ts';
import { methods } from './method.ts';
import { connectRpc, type RpcContext, serveRpc, startRpcServer } from './rpc.ts';

const keys = keysOf('gateway', 'platform', 'crm') as Record<'gateway' | 'platform' | 'crm', Keys>;
const owner: Caller = { ...person, kind: 'owner', role: 'owner' };
/** Returns a caller as crm receives them from the gateway. */
const sentToCrm = (caller: Caller) => keys.crm.verify(keys.gateway.sign('crm', caller), 'crm').caller!;
const kim = sentToCrm(person);

const contexts: RpcContext[] = [];
const noted = async (_: unknown, context: RpcContext) => {
  contexts.push(context);
  return {};
};
const platform = serveRpc(
  PlatformServiceDefinition,
  {
    introspect: noted,
    batchGetUsers: noted,
    batchGetRights: noted,
    ensureClientUser: noted,
    ensureStaffUser: noted,
    getLetterhead: noted,
    prepareEmail: noted,
    getWorkspace: noted,
    reportStorage: noted,
    sendSms: noted,
    signInToTrack: noted,
  },
  ['getLetterhead'],
);
const server = await startRpcServer({
  host: '127.0.0.1',
  port: 0,
  services: [platform],
  keys: keys.platform,
  database: {} as Database,
  storage: {} as Storage,
  log: silentLog,
});
const address = `127.0.0.1:${server.port}`;
const connections: { close(): void }[] = [];
afterAll(async () => {
  for (const connection of connections) connection.close();
  await server.stop(100);
});

function speaking(signer: Keys, caller: Caller) {
  const rpc = connectRpc({ platform: { definition: PlatformServiceDefinition, address } }, signer);
  connections.push(rpc);
  return rpc.as(caller, 'request').platform;
}

test("identifies a caller by the gateway's token, through any calling service", async () => {
  await speaking(keys.crm, kim).batchGetUsers({ user_ids: [] });
  expect(contexts.pop()).toMatchObject({ issuer: 'crm', caller: person });
});

const speakingAs = (speak: Keys['speak']): Keys => ({ ...keys.crm, speak });

test.each([
  ['that crm makes up', speakingAs(() => ({ token: keys.crm.sign('platform', owner) }))],
  [
    'of another call',
    speakingAs((audience) => {
      const { on_behalf } = keys.crm.speak(audience, sentToCrm(owner));
      return { ...keys.crm.speak(audience, kim), on_behalf };
    }),
  ],
  [
    'whom the gateway sent to another service',
    speakingAs((audience) => ({ ...keys.crm.speak(audience, kim), on_behalf: keys.gateway.sign('platform', owner) })),
  ],
  ['whose token is left out', speakingAs((audience) => ({ token: keys.crm.speak(audience, kim).token }))],
])('rejects a caller %s', async (_, signer) => {
  await expect(speaking(signer, kim).batchGetUsers({ user_ids: [] })).rejects.toMatchObject({ status: 401 });
  expect(contexts).toEqual([]);
});

test('grants a user named by a service only settling methods, without permissions', async () => {
  const named = speaking(keys.crm, owner);
  await expect(named.batchGetUsers({ user_ids: [] })).rejects.toMatchObject({ status: 403, code: 'forbidden' });
  expect(contexts).toEqual([]);
  await named.getLetterhead({});
  const { user_id, workspace_id } = owner;
  const nobody = { user_id, workspace_id, kind: 'staff', role: '', permissions: [], modules: [] };
  expect(contexts.pop()).toMatchObject({ issuer: 'crm', caller: nobody });
});

test('ends a method and its statements when its caller stops waiting', async () => {
  const rpc = connectRpc({ platform: { definition: PlatformServiceDefinition, address } }, keys.crm);
  connections.push(rpc);
  const clients = rpc.as(kim, 'request').platform;
  const before = performance.now();
  await clients.batchGetUsers({ user_ids: [] }, { deadline: 3_600_000 });
  await clients.batchGetUsers({ user_ids: [] });
  const [long, usual] = contexts.slice(-2).map(({ ends_at }) => ends_at! - before);
  expect(long).toBeGreaterThan(3_500_000);
  expect(usual).toBeGreaterThan(0);
  expect(usual).toBeLessThan(3_500_000);

  const limits: (number | undefined)[] = [];
  const database = {
    read: async (context: TransactionContext, work: (db: unknown) => Promise<unknown>) => {
      limits.push(context.ends_at);
      return await work({});
    },
  } as unknown as Database;
  const method = methods<object>()(PlatformServiceDefinition.methods.batchGetUsers, {
    summary: 'Get users',
    only: ['crm'],
    handle: async () => await Promise.resolve({ users: [] }),
  });
  await method.respond({ user_ids: [] }, {
    ...contexts.at(-1)!,
    issuer: 'crm',
    caller: kim,
    ends_at: 42,
    database,
  } as never);
  expect(limits).toEqual([42]);
});
