/** Stock per product and warehouse with its value, and manual adjustments. */
import { paginate } from '@suite/chassis/lists';
import { can, created, withDateWarnings, page } from '@suite/chassis/operations';
import { inProducts } from '../operations.ts';
import { adjust, readAdjustment } from './adjustment.ts';
import { businessDay } from './business-day.ts';
import { assertBooksOpen, PeriodLocked } from '../movements/period.ts';
import { withShortageEvent, sourceOfType } from '../movements/shortage.ts';
import { AdjustmentInput, StockAdjustment, StockFilter, StockLevel } from './stock.schema.ts';
import { stockExpansions, stockView } from './stock.view.ts';
import { InsufficientStock } from '../movements/shortage.rules.ts';

const { query, command } = inProducts;

export const list = query('GET /api/product-stocks', {
  summary: 'List stock',
  description:
    'Returns one row per product and warehouse that have or had stock. Shows stock on hand, reserved and available, and its value.',
  access: can('product.view'),
  query: StockFilter,
  reply: page(StockLevel),
  handle: ({ db, query }) => paginate(db, query, { ...stockView, expand: stockExpansions(db) }),
});

export const add = command('POST /api/product-stock/add', {
  summary: 'Adjust stock',
  description:
    'Adds found or opening stock, or removes lost stock. Finance posts its value on the same day, which must be in an open period. Returns `insufficient_stock` if less is available.',
  access: can('stock.adjust'),
  body: AdjustmentInput,
  reply: withDateWarnings(created(StockAdjustment), { body: 'business_date' }),
  faults: [InsufficientStock, PeriodLocked],
  prepare: ({ rpc, caller, body }) =>
    assertBooksOpen(rpc, businessDay(body.business_date, caller.timezone, 'business_date'), 'stock'),
  handle: ({ body, ...context }) =>
    withShortageEvent(context, sourceOfType('adjustment'), async () =>
      readAdjustment(context.db, await adjust(context, body)),
    ),
});
