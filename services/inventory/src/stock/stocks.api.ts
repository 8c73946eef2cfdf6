/** Stock: how much of each product lies in each warehouse, what it is worth, and corrections of it by hand. */
import { can, created, page, paginate } from '@suite/chassis';
import { inProducts } from '../operations.ts';
import { adjust, readAdjustment } from './adjustment.ts';
import { orShortage, unmade } from '../movements/shortage.ts';
import { AdjustmentInput, StockAdjustment, StockFilter, StockLevel } from './stock.schema.ts';
import { stockExpansions, stockView } from './stock.view.ts';
import { InsufficientStock } from '../movements/shortage.rules.ts';

const { query, command } = inProducts;

export const list = query('GET /api/product-stocks', {
  summary: 'List stock',
  description: 'A row for every product and warehouse where something is or was.',
  access: can('product.view'),
  query: StockFilter,
  reply: page(StockLevel),
  handle: ({ db, query }) => paginate(db, query, { ...stockView, expand: stockExpansions(db) }),
});

export const add = command('POST /api/product-stock/add', {
  summary: 'Correct stock',
  description:
    'Adds what was found or was there at the beginning, or takes away what is lost. Finance books what it is worth.',
  access: can('stock.adjust'),
  body: AdjustmentInput,
  reply: created(StockAdjustment),
  faults: [InsufficientStock],
  handle: ({ body, ...work }) =>
    orShortage(work, unmade('adjustment'), async () => readAdjustment(work.db, await adjust(work, body))),
});
