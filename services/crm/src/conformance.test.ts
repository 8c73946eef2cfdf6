import { randomUUID } from 'node:crypto';
import { conformance, seclusion } from '@suite/harness';
import { openCrm, type Shop } from '../test/ground.ts';
import { selling } from '../test/sales.ts';
import { crm } from './crm.ts';

const { serving, shop: openShop } = await openCrm();

/** A workspace with a record in every table that a path can name. */
async function furnish(shop: Shop): Promise<string> {
  const { boss, workspace, pipeline } = shop;
  const make = async (path: string, body: object) => (await boss.post(path, body)).body.data.id as string;
  const name = randomUUID();
  const label_ids = [await make('/api/label/create', { name, pipeline_id: pipeline.id })];
  const source_ids = [await make('/api/source/create', { name })];
  for (const kind of ['lead', 'deal']) {
    const id = await make(`/api/${kind}/create`, { name: 'Ada', label_ids, source_ids });
    const subject = { [`${kind}_id`]: id };
    await make(`/api/${kind}-task/create`, { ...subject, name: 'Call', date: '2027-01-01', time: '09:00' });
    const at = '2026-01-01T10:00:00Z';
    await make(`/api/${kind}-call/store`, { ...subject, subject: 'Hello', type: 'inbound', at, duration: 1 });
    const form = new FormData();
    form.set('file', new Blob(['An offer.']), 'offer.txt');
    await boss.upload(`/api/${kind}-file/store/${id}`, form);
  }
  const sales = selling(shop);
  await Promise.all([sales.quote(), sales.order(), sales.proposal()]);
  const parent_id = await make('/api/sales/opportunitity/store', { name: 'Engines' });
  const hour = { start: '2027-01-01T10:00:00Z', end: '2027-01-01T11:00:00Z' };
  await make('/api/sales/meeting/store', { name: 'Demo', parent_type: 'opportunity', parent_id, ...hour });
  return workspace;
}

const shop = await openShop();
const [ours, theirs] = [await furnish(shop), await furnish(await openShop())];
const asked = 'an action request: the specification has no other operation that changes the state';
const upsert = 'names the record to change, where one operation makes and changes';

conformance({
  contents: crm,
  serving,
  insider: { workspace: ours },
  foreign_workspace: theirs,
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

seclusion({
  contents: crm,
  serving,
  workspace: ours,
  bodies: {
    'appLeads.details': { id: randomUUID() },
    'appSales.parentRecords': { parent_type: 'lead' },
    'appSales.warehouseProducts': { warehouse_id: randomUUID() },
  },
  async more() {
    await shop.boss.post('/api/lead/create', { name: 'Bob', expected_value: '900.00' });
    await shop.boss.post('/api/deal/create', { name: 'Bob', price: '700.00' });
    await shop.boss.post('/api/sales/opportunitity/store', { name: 'Wheels', amount: '500.00' });
    const sales = selling(shop);
    await Promise.all([sales.quote(), sales.order(), sales.proposal()]);
  },
  open: { users: 'everybody learns who works here' },
});
