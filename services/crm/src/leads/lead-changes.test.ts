import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { connectRpc } from '@suite/chassis/testing';
import { type NewChange, RecordServiceDefinition } from '@suite/proto/records/v1/records';
import { forwardedCaller, keysOf, type Member, waitUntil } from '@suite/testing';
import { openCrm } from '../../test/fixture.ts';

const { serving, shop: openShop } = await openCrm();
const address = `127.0.0.1:${serving.grpc_port}`;
const rpc = connectRpc({ 'crm.records': { definition: RecordServiceDefinition, address } }, keysOf('platform'));
afterAll(() => rpc.close());

const recordsFor = ({ caller }: Member) => rpc.as(forwardedCaller('platform', caller), randomUUID())['crm.records'];

/** Reads the changes of a lead, as soon as there are this many. */
async function changesOf(member: Member, id: string, count: number): Promise<NewChange[]> {
  let changes: NewChange[] = [];
  await waitUntil('the changes are settled', async () => {
    const all = (await recordsFor(member).listNewChanges({ limit: 1_000 })).changes;
    changes = all.filter(({ record_id }) => record_id === id);
    return changes.length >= count;
  });
  return changes;
}

async function actionsFor(member: Member, changes: readonly NewChange[]): Promise<string[]> {
  const references = changes.map(({ at: _, action: __, ...reference }) => reference);
  const described = (await recordsFor(member).describeChanges({ changes: references })).changes;
  return described
    .toSorted((one, other) => Number(one.position) - Number(other.position))
    .map(({ change }) => `${change!.action}: ${change!.fields.map(({ field }) => field).join()}`);
}

describe('the changes of a lead', () => {
  test('end with its hiding for a previous owner, and with its update for the next one', async () => {
    const shop = await openShop();
    const salesperson = () => shop.member({ user_id: shop.hire(), record_scopes: { lead: 'own' } });
    const [former, next, other] = [salesperson(), salesperson(), salesperson()];
    const lead = { name: 'Ada', owner_id: former.caller.user_id };
    const { id } = (await shop.owner.post('/api/lead/create', lead)).body.data;
    await shop.owner.post(`/api/lead/update/${id}`, { owner_id: next.caller.user_id });
    await shop.owner.post(`/api/lead/update/${id}`, { notes: 'Prefers red bicycles.' });
    const changes = await changesOf(shop.owner, id, 3);
    expect(await actionsFor(former, changes)).toEqual(['hidden: ']);
    expect((await actionsFor(next, changes)).slice(1)).toEqual([
      'updated: owner_id,last_activity_at',
      'updated: notes,last_activity_at',
    ]);
    expect(await actionsFor(other, changes)).toEqual([]);
  });

  test('end with its deletion for its owner, and are hidden from others', async () => {
    const shop = await openShop();
    const salesperson = () => shop.member({ user_id: shop.hire(), record_scopes: { lead: 'own' } });
    const [owner, other] = [salesperson(), salesperson()];
    const lead = { name: 'Ada', owner_id: owner.caller.user_id };
    const { id } = (await shop.owner.post('/api/lead/create', lead)).body.data;
    await shop.owner.delete(`/api/lead/delete/${id}`);
    const changes = await changesOf(shop.owner, id, 2);
    expect((await actionsFor(owner, changes)).at(-1)).toMatch(/^deleted: .*name/);
    expect(await actionsFor(other, changes)).toEqual([]);
  });
});
