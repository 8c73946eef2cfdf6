import { planConformance } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openCrm } from '../test/fixture.ts';
import { crm } from './crm.ts';

const { serving, fakes, shop: openShop } = await openCrm();
const shop = await openShop();
const { owner, hire } = shop;
const workspace = await createOneOfEach(shop);
const [mate, client] = [hire({ name: 'Robin' }), hire({ name: 'Cleo', kind: 'client' })];

const first = async (path: string) => (await owner.get(path)).body.data[0].id as string;
const product = { product_id: shop.stock.product(), qty: '1', price: '1.00' };
for (const noun of ['lead', 'deal']) {
  const id = await first(`/api/${noun}s`);
  await owner.post(`/api/${noun}-discussion/store/${id}`, { comment: 'Good.' });
  await owner.post(`/api/${noun}-email/store/${id}`, { to: ['ada@example.com'], subject: 'Hello', body: 'Hi' });
  await owner.post(`/api/${noun}-user/store/${id}`, { user_ids: [mate] });
  await owner.post(`/api/${noun}/assign-products/${id}`, { products: [product] });
}
await owner.post(`/api/deal-client/store/${await first('/api/deals')}`, { client_ids: [client] });
const attendees = [{ user_id: mate }];
await owner.post(`/api/sales/meeting/update/${await first('/api/sales/meetings')}`, { attendees });
await serving.sql`UPDATE proposals SET status = 'sent'`;
await serving.sql`UPDATE customer_links SET user_id = ${client}`;

const inNoList = 'no list reads it';
const figures = 'stage metrics include all records of the stage';

planConformance({
  contents: crm,
  serving,
  fakes,
  workspace,
  people: { staff: [owner.caller.user_id, mate], client: [client] },
  few: ['users', 'pipelines', 'lead_stages', 'deal_stages', 'labels', 'sources'],
  shared: ['proposals.customer_id'],
  rare: ['customer_links.user_id'],
  empty: { lead_consents: inNoList, order_invoices: inNoList, order_reservations: inNoList },
  whole: { 'leadStages.list': figures, 'dealStages.list': figures },
});
