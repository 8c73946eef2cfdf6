/** Till sales: goods that a customer pays for and takes along at once. */
import { can, created, idOf, ok, page, paginate, today } from '@suite/chassis';
import { inPos } from '../operations.ts';
import { assertShopOpen, PeriodLocked } from '../movements/period.ts';
import { orShortage, unmade } from '../movements/shortage.ts';
import { InsufficientStock } from '../movements/shortage.rules.ts';
import { NotPaid } from './payment.rules.ts';
import { sell, SOURCE } from './pos-order.ts';
import { PosOrder, PosOrderDetails, PosOrderFilter, PosOrderInput, PosRefundInput } from './pos-order.schema.ts';
import { posView, showPosOrder } from './pos-order.view.ts';
import { OverRefunded, refund as refundOrder } from './refund.ts';
import { posStates } from './pos-order.rules.ts';

const { query, command } = inPos;

export const list = query('GET /api/pos', {
  summary: 'List POS orders',
  access: can('pos_order.view'),
  query: PosOrderFilter,
  reply: page(PosOrder),
  handle: ({ db, query, caller }) => paginate(db, query, posView(db, caller)),
});

export const show = query('GET /api/pos/show/{id}', {
  summary: 'Get a POS order',
  access: can('pos_order.view'),
  params: { id: idOf('pos_orders') },
  reply: ok(PosOrderDetails),
  handle: ({ db, params, caller }) => showPosOrder(db, caller, params.id),
});

export const create = command('POST /api/pos/create', {
  summary: 'Create a POS order',
  description:
    'The goods go out, the money comes in and the number is given at once. Amounts are computed; only cash gives change.',
  access: can('pos_order.create'),
  body: PosOrderInput,
  reply: created(PosOrderDetails),
  faults: [InsufficientStock, NotPaid, PeriodLocked],
  prepare: ({ rpc, caller }) => assertShopOpen(rpc, today(caller.timezone)),
  handle: ({ body, ...work }) =>
    orShortage(work, unmade(SOURCE), async () => showPosOrder(work.db, work.caller, await sell(work, body))),
});

export const refund = command('POST /api/pos/refund/{id}', {
  summary: 'Refund a POS order',
  description:
    'The lines that are named, or all that is left: the goods come back at what they cost. When nothing is left, taking the rest back once more answers the same. Money goes back the way in which it came, cash last.',
  access: posStates.can('refund'),
  params: { id: idOf('pos_orders') },
  body: PosRefundInput,
  reply: ok(PosOrderDetails),
  faults: [OverRefunded, PeriodLocked],
  prepare: ({ rpc, caller }) => assertShopOpen(rpc, today(caller.timezone)),
  async handle({ params, body, ...work }) {
    await refundOrder(work, params.id, body);
    return await showPosOrder(work.db, work.caller, params.id);
  },
});
