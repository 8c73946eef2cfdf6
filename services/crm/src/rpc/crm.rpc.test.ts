import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { callerOnBehalfOf } from '@suite/chassis/identity';
import { connectRpc } from '@suite/chassis/testing';
import { CrmServiceDefinition } from '@suite/proto/crm/v1/crm';
import { keysOf, methodConformance } from '@suite/testing';
import { openCrm } from '../../test/fixture.ts';
import { crmRpc } from './crm.rpc.ts';

const { serving, shop: openShop } = await openCrm();

methodConformance({ name: 'crm', serving, served: crmRpc, idempotent: {} });

describe('the to-do methods', () => {
  test('list the tasks of a user for visible leads and deals only', async () => {
    const shop = await openShop();
    const robin = shop.hire();
    const lead_id = (await shop.owner.post('/api/lead/create', { name: 'Ada' })).body.data.id;
    const create = async (assignee_id: string | null) =>
      (
        await shop.owner.post('/api/lead-task/create', {
          lead_id,
          name: 'Call back',
          date: '2027-01-31',
          time: '09:30',
          priority: 'high',
          assignee_id,
        })
      ).body.data.id;
    const id = await create(robin);
    await create(null);
    const address = `127.0.0.1:${serving.grpc_port}`;
    const rpc = connectRpc({ crm: { definition: CrmServiceDefinition, address } }, keysOf('platform'));
    const { crm } = rpc.as(callerOnBehalfOf(robin, shop.workspace), randomUUID());
    const user = { user_id: robin, name: 'Robin', kind: 'staff', email: '', status: 'active', phone: '' };
    const known = { role: 'sales', timezone: 'UTC', currency: 'EUR', team: [] };
    const rights = { user, ...known, permissions: ['lead.view'], record_scopes: {}, modules: ['crm'] };
    const list = async (more: object = {}, known_task_ids: string[] = []) =>
      (await crm.listToDoTasks({ rights: { ...rights, ...more }, known_task_ids })).tasks;
    const marks = async () => (await crm.batchGetToDoMarks({ user_ids: [robin] })).marks[0]!.mark;
    expect(await list()).toMatchObject([
      {
        task_id: id,
        title: 'Call back',
        description: 'Ada',
        due_date: '2027-01-31',
        priority: 'high',
        group: 'unstarted',
      },
    ]);
    expect(await list({ permissions: [] })).toEqual([]);
    expect(await list({ modules: [] })).toEqual([]);
    expect(await list({ record_scopes: { lead: 'own' } })).toEqual([]);
    const before = await marks();
    await shop.owner.post(`/api/lead-task/update/${id}`, { status: 'done' });
    expect(await marks()).not.toBe(before);
    expect(await list()).toEqual([]);
    expect(await list({}, [id])).toMatchObject([{ task_id: id, group: 'completed' }]);
    rpc.close();
  });
});
