import { StockChanged } from '@suite/proto/inventory/v1/events';
import { on } from '../operations.ts';
import { keepStocked } from '../warehouses/stocked.ts';

/** Which products lie in which warehouse is known here, so that they can be offered. */
export const keepStockedProduct = on(StockChanged, 'crm.keep-stocked-product', ({ event, envelope, db }) =>
  keepStocked(db, event, envelope.aggregate_version),
);
