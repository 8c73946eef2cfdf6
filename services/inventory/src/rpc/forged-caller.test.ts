import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { connectRpc } from '@suite/chassis/testing';
import { keysOf, makeCaller, start } from '@suite/harness';
import { InventoryServiceDefinition } from '@suite/proto/inventory/v1/inventory';
import { inventory } from '../inventory.ts';

const serving = await start(inventory);
const owner = makeCaller({ kind: 'owner', role: 'owner', can: ['product.view'], modules: ['products'] });
const crm = keysOf('crm');
const definition = InventoryServiceDefinition;
const services = { inventory: { definition, address: `127.0.0.1:${serving.grpc_port}` } };
const nothing = { product_ids: [], tax_ids: [], warehouse_ids: [] };

test('an owner whom crm makes up is refused', async () => {
  const forging = { ...crm, speak: (audience: string) => ({ token: crm.sign(audience, owner) }) };
  const rpc = connectRpc(services, forging).as(owner, randomUUID());
  await expect(rpc.inventory.batchGetCatalogue(nothing)).rejects.toMatchObject({ status: 401 });
});

test('an owner whom crm only names is nobody who may ask or move anything', async () => {
  const rpc = connectRpc(services, crm).as(owner, randomUUID());
  await expect(rpc.inventory.batchGetCatalogue(nothing)).rejects.toMatchObject({ status: 403 });
});
