/** Stock transfers between warehouses. */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, withDateWarnings, ok, page } from '@suite/chassis/operations';
import { today } from '@suite/chassis/runtime';
import { businessDay } from '../stock/business-day.ts';
import { inWarehouse } from '../operations.ts';
import { assertBooksOpen, PeriodLocked } from '../movements/period.ts';
import { withShortageEvent, sourceOfType } from '../movements/shortage.ts';
import { InsufficientStock } from '../movements/shortage.rules.ts';
import { createTransfer, reverseTransfer } from './transfer.ts';
import {
  FormRequest,
  Transfer,
  TransferDetails,
  TransferFilter,
  TransferForm,
  TransferInput,
} from './transfer.schema.ts';
import { showTransfer, transferForm, transferView } from './transfer.view.ts';
import { transferStates } from './transfer.rules.ts';

const { query, command } = inWarehouse;

export const list = query('GET /api/transfer', {
  summary: 'List stock transfers',
  description: 'Returns stock transfers with their status, including reversed ones. Expand `lines` for the products.',
  access: can('transfer.view'),
  query: TransferFilter,
  reply: page(Transfer),
  handle: ({ db, query, caller }) => paginate(db, query, transferView(db, caller)),
});

export const create = command('POST /api/transfer/create', {
  summary: 'Create a stock transfer',
  description:
    'Moves all lines between two warehouses immediately, at their current cost, or none. Returns `insufficient_stock` with the missing quantities.',
  access: can('transfer.create'),
  body: TransferInput,
  reply: withDateWarnings(created(TransferDetails), { record: 'date' }),
  faults: [InsufficientStock, PeriodLocked],
  prepare: ({ rpc, caller, body }) => assertBooksOpen(rpc, businessDay(body.date, caller.timezone, 'date'), 'stock'),
  handle: ({ body, ...context }) =>
    withShortageEvent(context, sourceOfType('transfer'), async () =>
      showTransfer(context.db, context.caller, await createTransfer(context, body)),
    ),
});

export const reverse = command('DELETE /api/transfer/delete/{transfer_id}', {
  summary: 'Reverse a stock transfer',
  description:
    'Moves the goods back if they are still available in the destination. The transfer keeps its number with the status `reversed`. Repeating the request changes nothing.',
  access: transferStates.can('reverse'),
  params: { transfer_id: idOf('transfers') },
  reply: ok(TransferDetails),
  faults: [InsufficientStock, PeriodLocked],
  prepare: ({ rpc, caller }) => assertBooksOpen(rpc, today(caller.timezone), 'stock'),
  handle: ({ params: { transfer_id: id }, ...context }) =>
    withShortageEvent(context, { type: 'transfer', id }, async () => {
      await reverseTransfer(context, id);
      return await showTransfer(context.db, context.caller, id);
    }),
});

export const formChoices = query('GET /api/transfer/request-data', {
  summary: 'Get the options of the transfer form',
  description:
    'Returns active warehouses and products with available stock, at most 500. `from_warehouse_id` limits the products to one warehouse.',
  access: can('transfer.create'),
  query: FormRequest.shape,
  reply: ok(TransferForm),
  handle: ({ db, query, caller }) => transferForm(db, caller, query.from_warehouse_id),
});
