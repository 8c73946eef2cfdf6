/** POS orders: sales that are paid and delivered immediately. */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page } from '@suite/chassis/operations';
import { today } from '@suite/chassis/runtime';
import { inPos } from '../operations.ts';
import { assertShopOpen, PeriodLocked } from '../movements/period.ts';
import { withShortageEvent, sourceOfType } from '../movements/shortage.ts';
import { InsufficientStock } from '../movements/shortage.rules.ts';
import { hasCash, NotPaid } from './payment.rules.ts';
import { sell, SOURCE } from './pos-order.ts';
import { PosOrder, PosOrderDetails, PosOrderFilter, PosOrderInput, PosRefundInput } from './pos-order.schema.ts';
import { posView, showPosOrder } from './pos-order.view.ts';
import { OverRefunded, refund as refundOrder } from './refund.ts';
import { posStates } from './pos-order.rules.ts';

const { query, command } = inPos;

export const list = query('GET /api/pos', {
  summary: 'List POS orders',
  description: 'Returns POS orders with totals and status. Expand `lines`, `payments` and `refunds` for the details.',
  access: can('pos_order.view'),
  query: PosOrderFilter,
  reply: page(PosOrder),
  handle: ({ db, query, caller }) => paginate(db, query, posView(db, caller)),
});

export const show = query('GET /api/pos/show/{id}', {
  summary: 'Get a POS order',
  description: 'Returns a POS order with lines, payments, change and refunds.',
  access: can('pos_order.view'),
  params: { id: idOf('pos_orders') },
  reply: ok(PosOrderDetails),
  handle: ({ db, params, caller }) => showPosOrder(db, caller, params.id),
});

export const create = command('POST /api/pos/create', {
  summary: 'Create a POS order',
  description:
    'Issues the goods, records the payments and assigns the number immediately. Calculates all amounts. Only cash payments return change. Returns `not_paid` if the payments do not cover the total.',
  addition: 'The specification only reads POS orders: without this, none would exist.',
  access: can('pos_order.create'),
  body: PosOrderInput,
  reply: created(PosOrderDetails),
  faults: [InsufficientStock, NotPaid, PeriodLocked],
  prepare: ({ rpc, caller, body }) => assertShopOpen(rpc, today(caller.timezone), hasCash(body.payments)),
  handle: ({ body, ...context }) =>
    withShortageEvent(context, sourceOfType(SOURCE), async () =>
      showPosOrder(context.db, context.caller, await sell(context, body)),
    ),
});

export const refund = command('POST /api/pos/refund/{id}', {
  summary: 'Refund a POS order',
  description:
    'Refunds the given lines. `lines` defaults to everything that is not yet refunded. The goods return to stock at their cost. Refunds the original payment methods, cash last. Repeating a full refund changes nothing.',
  addition: 'A POS order is refunded at the POS, with its goods, money and tax.',
  access: posStates.can('refund'),
  params: { id: idOf('pos_orders') },
  body: PosRefundInput,
  reply: ok(PosOrderDetails),
  faults: [OverRefunded, PeriodLocked],
  async prepare({ rpc, read, caller, params }) {
    const payments = await read((db) => db.posPayment.findMany({ where: { pos_order_id: params.id } }));
    await assertShopOpen(rpc, today(caller.timezone), hasCash(payments));
  },
  async handle({ params, body, ...context }) {
    await refundOrder(context, params.id, body);
    return await showPosOrder(context.db, context.caller, params.id);
  },
});
