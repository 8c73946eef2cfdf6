import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { connectRpc } from '@suite/chassis/testing';
import { keysOf, makeCaller, start } from '@suite/harness';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { platform } from '../platform.ts';

const serving = await start(platform);
const owner = makeCaller({ kind: 'owner', role: 'owner', can: ['user.view'], modules: ['crm'] });
const crm = keysOf('crm');
const definition = PlatformServiceDefinition;
const services = { platform: { definition, address: `127.0.0.1:${serving.grpc_port}` } };

test('an owner whom crm makes up is refused', async () => {
  const forging = { ...crm, speak: (audience: string) => ({ token: crm.sign(audience, owner) }) };
  const rpc = connectRpc(services, forging).as(owner, randomUUID());
  await expect(rpc.platform.batchGetUsers({ user_ids: [] })).rejects.toMatchObject({ status: 401 });
});

test('an owner whom crm only names is nobody who may ask anything', async () => {
  const rpc = connectRpc(services, crm).as(owner, randomUUID());
  await expect(rpc.platform.batchGetUsers({ user_ids: [] })).rejects.toMatchObject({ status: 403 });
});
