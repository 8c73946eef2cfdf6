import { planConformance } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openInventory } from '../test/fixture.ts';
import { inventory } from './inventory.ts';

const { serving, fakes, shop: openShop } = await openInventory();
const shop = await openShop();
const workspace = await createOneOfEach(shop);

const inNoList = [
  'product_taxes',
  'reservations',
  'announced_goods',
  'pos_payments',
  'pos_refunds',
  'pos_refund_lines',
];

planConformance({
  contents: inventory,
  serving,
  fakes,
  workspace,
  people: { staff: [shop.owner.caller.user_id] },
  few: ['categories', 'units', 'taxes', 'warehouses'],
  shared: [],
  rare: [],
  empty: Object.fromEntries(inNoList.map((table) => [table, 'no list reads it'])),
  whole: { 'warehouses.list': 'totals of a warehouse include all of its stock' },
});
