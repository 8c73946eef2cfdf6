/**
 * Factories for quotes, products and stock, and their example calls. `$product` is the ID of a shared record, and
 * `$accepted_quote!` the ID of a record created for the call.
 */
import type { ExampleRecorder, ExampleCall, ExampleFactory } from '../recorder/recorder.ts';

const RUNS_OUT = '2099-12-31';
const lines = [{ product_id: '$product', qty: '2', discount: { type: 'percent', value: '5' } }];
const offer = { customer_id: '$customer', lines: [{ product_id: '$product', qty: '2' }] };

/** Moves a document to a state, step by step. */
const moveToState =
  (make: ExampleFactory, ...steps: [string, string, object?][]): ExampleFactory =>
  async (recorder, serial) => {
    const made = await make(recorder, serial);
    for (const [operation, variable, body] of steps)
      await recorder.call(operation, { path: { [variable]: made.id }, ...(body && { body }) });
    return made;
  };

const quote: ExampleFactory = (recorder) =>
  recorder.call('quotes.create', { body: { ...offer, expiry_date: RUNS_OUT } });
const proposal: ExampleFactory = (recorder) =>
  recorder.call('proposals.create', { body: { ...offer, valid_until: RUNS_OUT } });
const order: ExampleFactory = (recorder) => recorder.call('salesOrders.create', { body: offer });
const product: ExampleFactory = async (recorder, serial) => {
  const made = await recorder.call('products.create', {
    body: {
      name: `City bicycle ${serial}`,
      sku: `CITY-${serial}`,
      sale_price: '890.00',
      purchase_price: '520.00',
      category_id: '$category',
      unit_id: '$unit',
      tax_ids: ['$tax'],
    },
  });
  const stock = {
    product_id: made.id,
    qty: '500',
    unit_cost: '520.00',
    reason: 'opening',
    business_date: '2026-01-02',
  };
  await recorder.call('stocks.add', { body: stock });
  return made;
};
const createUnusedProduct = (recorder: ExampleRecorder, serial: number) =>
  recorder.call('products.create', { body: { name: `Bell ${serial}`, sku: `BELL-${serial}`, sale_price: '12.00' } });
const meeting = { start: '2026-12-01T09:00:00Z', end: '2026-12-01T10:00:00Z' };

export const selling: Record<string, ExampleFactory> = {
  product,
  unused_product: createUnusedProduct,
  product_image: async (recorder) => {
    const { image_url } = await recorder.call('products.uploadImage', { path: { id: '$product' } });
    return { id: '', token: String(image_url).split('/').at(-1) };
  },
  category: (recorder, serial) =>
    recorder.call('productCategories.create', {
      body: { name: `Bicycles ${serial}`, color: '#3b82f6', kind: 'product' },
    }),
  product_category: (recorder, serial) =>
    recorder.call('productCategories.create', { body: { name: `Parts ${serial}`, color: '#16a34a', kind: 'product' } }),
  tax: (recorder, serial) => recorder.call('taxes.create', { body: { name: `VAT 20 % (${serial})`, rate: '20' } }),
  unit: (recorder, serial) =>
    recorder.call('units.create', { body: { name: `Piece ${serial}`, symbol: `pc${serial}` } }),
  warehouse: (recorder) => recorder.first('warehouses.list', { is_default: 'true' }),
  own_warehouse: (recorder, serial) =>
    recorder.call('warehouses.create', { body: { name: `Depot ${serial}`, code: `DEPOT-${serial}` } }),
  stock_transfer: (recorder) =>
    recorder.call('stockTransfers.create', {
      body: {
        from_warehouse_id: '$warehouse',
        to_warehouse_id: '$own_warehouse',
        lines: [{ product_id: '$product', qty: '5' }],
      },
    }),
  pos_order: (recorder) =>
    recorder.call('posOrders.create', {
      body: {
        lines: [{ product_id: '$product', qty: '2' }],
        payments: [{ method: 'cash', amount: '2200.00' }],
      },
    }),
  opportunity: (recorder, serial) =>
    recorder.call('opportunities.create', { body: { name: `School bicycles ${serial}`, amount: '24000.00' } }),
  meeting: (recorder) =>
    recorder.call('meetings.create', {
      body: { name: 'Test ride', parent_type: 'customer', parent_id: '$customer', ...meeting },
    }),
  quote,
  accepted_quote: moveToState(
    quote,
    ['quotes.update', 'id', { status: 'sent' }],
    ['quotes.update', 'id', { status: 'accepted' }],
  ),
  sales_order: order,
  confirmed_order: moveToState(order, ['salesOrders.update', 'id', { status: 'confirmed' }]),
  proposal,
  sent_proposal: moveToState(proposal, ['proposals.send', 'proposal_id']),
  accepted_proposal: moveToState(proposal, ['proposals.send', 'proposal_id'], ['proposals.accept', 'proposal_id', {}]),
};

export const sellingCalls: Record<string, ExampleCall> = {
  'opportunities.create': {
    body: { name: 'Bicycles for a school', customer_id: '$customer', amount: '24000.00', expected_close: '2026-12-31' },
  },
  'opportunities.update': { body: { stage: 'proposal', probability: 60 } },
  'meetings.create': {
    body: {
      name: 'Show the new models',
      parent_type: 'customer',
      parent_id: '$customer',
      ...meeting,
      location: 'In the shop',
      attendees: [{ user_id: '$colleague' }],
    },
  },
  'meetings.update': { body: { location: 'At their office' } },
  'meetings.listParents': { body: { parent_type: 'lead', limit: 3 } },
  'quotes.create': {
    body: { customer_id: '$customer', expiry_date: RUNS_OUT, lines, terms: 'Delivery in two weeks.' },
  },
  'quotes.update': { body: { status: 'sent' } },
  'salesOrders.create': { body: { quote_id: '$accepted_quote!', delivery_date: '2026-12-01' } },
  'salesOrders.update': { body: { status: 'confirmed' } },
  'salesOrders.invoice': { path: { id: '$confirmed_order!' } },
  'sales.listWarehouseProducts': { body: { warehouse_id: '$warehouse', product_ids: ['$product'] } },
  'proposals.create': {
    body: { customer_id: '$customer', valid_until: RUNS_OUT, lines, notes: 'With a year of maintenance.' },
  },
  'proposals.update': { body: { notes: 'With two years of maintenance.' } },
  'proposals.accept': { path: { proposal_id: '$sent_proposal!' }, body: { name: 'Ada Lovelace' } },
  'proposals.reject': { path: { proposal_id: '$sent_proposal!' }, body: { reason: 'We bought elsewhere.' } },
  'proposals.convert': { path: { proposal_id: '$accepted_proposal!' } },
  'products.create': {
    body: {
      name: 'Touring bicycle',
      sku: 'TOUR-28',
      sale_price: '1250.00',
      purchase_price: '740.00',
      category_id: '$category',
      unit_id: '$unit',
      tax_ids: ['$tax'],
      reorder_level: '3',
    },
  },
  'products.update': { body: { sale_price: '949.00', description: 'With lights and a lock.' } },
  'products.remove': { path: { id: '$unused_product!' } },
  'products.image': { as: '', path: { token: '$product_image.token' } },
  'productCategories.create': { body: { name: 'Helmets', color: '#f59e0b', kind: 'product' } },
  'productCategories.update': { body: { name: 'Spare parts', color: '#3b82f6' } },
  'taxes.create': { body: { name: 'Reduced VAT', rate: '7' } },
  'taxes.update': { body: { name: 'VAT, standard rate' } },
  'units.create': { body: { name: 'Box of ten', symbol: 'box10', base_id: '$unit', factor: '10' } },
  'units.update': { body: { name: 'Pieces' } },
  'stocks.add': {
    body: { product_id: '$product', qty: '-1', reason: 'scrap', note: 'Damaged in the shop.' },
  },
  'warehouses.create': { body: { name: 'Northern depot', code: 'NORTH', city: 'Leeds' } },
  'warehouses.update': { path: { warehouse_id: '$own_warehouse!' }, body: { city: 'York' } },
  'warehouses.remove': { path: { warehouse_id: '$own_warehouse!' } },
  'stockTransfers.create': {
    body: {
      from_warehouse_id: '$warehouse',
      to_warehouse_id: '$own_warehouse',
      note: 'For the weekend.',
      lines: [{ product_id: '$product', qty: '3' }],
    },
  },
  'posOrders.create': {
    body: {
      lines: [{ product_id: '$product', qty: '1' }],
      payments: [{ method: 'card', amount: '1068.00' }],
    },
  },
  'posOrders.refund': { body: { lines: [{ line_id: '$pos_order!.lines.0.id', qty: '1' }], reason: 'Wrong size' } },
};
