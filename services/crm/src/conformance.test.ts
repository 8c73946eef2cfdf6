import { randomUUID } from 'node:crypto';
import { conformance, visibilityConformance } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openCrm } from '../test/fixture.ts';
import { salesSteps } from '../test/sales.ts';
import { crm } from './crm.ts';

const { serving, shop: openShop } = await openCrm();

const shop = await openShop();
const [ours, otherWorkspace] = [await createOneOfEach(shop), await createOneOfEach(await openShop())];
const asked = 'an action request: the specification has no other operation that changes the state';
const upsert = 'names the record to change, where one operation makes and changes';

conformance({
  contents: crm,
  serving,
  insider: { workspace: ours },
  foreign_workspace: otherWorkspace,
  declared: {
    'leadTasks.update': {
      status: 'an action request: the specification has no other operation that marks a task done',
    },
    'dealTasks.update': {
      status: 'an action request: the specification has no other operation that marks a task done',
    },
    'meetings.update': { status: asked },
    'quotes.update': { status: asked },
    'salesOrders.update': { status: asked },
    'appLeads.details': { id: 'names the lead to show' },
    'appLeads.remove': { id: 'names the lead to delete' },
    'appLeads.save': { id: upsert },
    'appPipelines.save': { id: upsert },
    'appPipelines.saveStage': { id: upsert },
  },
});

visibilityConformance({
  contents: crm,
  serving,
  workspace: ours,
  bodies: {
    'appLeads.details': { id: randomUUID() },
    'appSales.parentRecords': { parent_type: 'lead' },
    'appSales.warehouseProducts': { warehouse_id: randomUUID() },
  },
  async more() {
    await shop.owner.post('/api/lead/create', { name: 'Bob', expected_value: '900.00' });
    await shop.owner.post('/api/deal/create', { name: 'Bob', price: '700.00' });
    await shop.owner.post('/api/sales/opportunitity/store', { name: 'Wheels', amount: '500.00' });
    const sales = salesSteps(shop);
    await Promise.all([sales.quote(), sales.order(), sales.proposal()]);
  },
  open: { users: 'all users may see who works here' },
});
