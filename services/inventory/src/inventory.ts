import { service } from '@suite/chassis/service';
import * as productCategories from './catalogue/categories.api.ts';
import * as taxes from './catalogue/taxes.api.ts';
import * as units from './catalogue/units.api.ts';
import { releaseOrder } from './consumers/crm.sales-order-cancelled.ts';
import { expectReturnedGoods } from './consumers/finance.sales-return-approved.ts';
import { forgetReturnedGoods } from './consumers/finance.sales-return-cancelled.ts';
import { closeReturnedGoods } from './consumers/finance.sales-return-completed.ts';
import { openWorkspace } from './consumers/platform.workspace-provisioned.ts';
import { PrismaClient } from './generated/client.ts';
import { calls } from './operations.ts';
import * as posOrders from './pos/pos-orders.api.ts';
import { posStates } from './pos/pos-order.rules.ts';
import { removeDiscardedImages } from './products/picture.ts';
import { reportStorage } from './products/report-storage.ts';
import * as products from './products/products.api.ts';
import { expireDueReservations } from './reservations/expiry.ts';
import { inventoryRpc } from './rpc/inventory.rpc.ts';
import * as stocks from './stock/stocks.api.ts';
import { transferStates } from './transfers/transfer.rules.ts';
import * as stockTransfers from './transfers/transfers.api.ts';
import * as warehouses from './warehouses/warehouses.api.ts';
import { owns, references } from './references.ts';
import { records } from './records.ts';
import { visibilityRules } from './visibility.ts';
import { productStates } from './products/product.rules.ts';
import { warehouseStates } from './warehouses/warehouse.rules.ts';
import { categoryActions, taxActions, unitActions } from './catalogue/catalogue.rules.ts';

/** Inventory service: catalogue, warehouses, stock with its value, and POS orders. */
export const inventory = service({
  name: 'inventory',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: visibilityRules,
  records,
  record_readers: ['platform'],
  operations: { products, productCategories, taxes, units, stocks, warehouses, stockTransfers, posOrders },
  lifecycles: [categoryActions, taxActions, unitActions, productStates, warehouseStates, transferStates, posStates],
  rpc: [inventoryRpc],
  consumers: [openWorkspace, releaseOrder, expectReturnedGoods, closeReturnedGoods, forgetReturnedGoods],
  schedules: [expireDueReservations, removeDiscardedImages, reportStorage],
  calls,
  references,
  owns,
});
