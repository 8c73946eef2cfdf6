/** Till sales: goods that a customer pays for and takes along at once. */
import { can, created, idOf, ok, page, paginate } from '@suite/chassis';
import { inPos } from '../operations.ts';
import { InsufficientStock } from '../stock/sufficient.ts';
import { NotPaid } from './payment.ts';
import { refund as refundOrder, sell } from './pos-order.ts';
import { PosOrder, PosOrderDetails, PosOrderFilter, PosOrderInput } from './pos-order.schema.ts';
import { posView, showPosOrder } from './pos-view.ts';

const { query, command } = inPos;

export const list = query('GET /api/pos', {
  summary: 'List till sales',
  access: can('pos_order.view'),
  query: PosOrderFilter,
  reply: page(PosOrder),
  handle: ({ db, query, caller }) => paginate(db, query, posView(db, caller)),
});

export const show = query('GET /api/pos/show/{id}', {
  summary: 'Show a till sale',
  access: can('pos_order.view'),
  params: { id: idOf('pos_orders') },
  reply: ok(PosOrderDetails),
  handle: ({ db, params, caller }) => showPosOrder(db, caller, params.id),
});

export const create = command('POST /api/pos/create', {
  summary: 'Sell at the till',
  description:
    'The goods go out, the money comes in and the number is given at once. Amounts are computed; only cash gives change.',
  access: can('pos_order.create'),
  body: PosOrderInput,
  reply: created(PosOrderDetails),
  faults: [InsufficientStock, NotPaid],
  handle: async ({ body, ...work }) => showPosOrder(work.db, work.caller, await sell(work, body)),
});

export const refund = command('POST /api/pos/refund/{id}', {
  summary: 'Take a till sale back',
  description: 'All of it: the goods come back at what they cost. Repeating it answers the same.',
  access: can('pos_order.refund'),
  params: { id: idOf('pos_orders') },
  reply: ok(PosOrderDetails),
  async handle({ params, ...work }) {
    await refundOrder(work, params.id);
    return await showPosOrder(work.db, work.caller, params.id);
  },
});
