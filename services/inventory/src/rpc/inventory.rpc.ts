/** Methods of inventory for other services: catalogue, availability and stock movements. */
import { serveMethods } from '@suite/chassis/rpc';
import { InventoryServiceDefinition } from '@suite/proto/inventory/v1/inventory';
import {
  batchGetCatalogue,
  batchGetProducts,
  batchGetTaxes,
  batchGetWarehouses,
  checkAvailability,
  getStockValue,
  listOrderReservations,
  listStockedProducts,
} from './catalogue.rpc.ts';
import { issueStock, receiveStock, release, reserve, reverseIssue, reverseReceipt } from './stock.rpc.ts';

export const inventoryRpc = serveMethods(InventoryServiceDefinition, {
  batchGetProducts,
  batchGetTaxes,
  batchGetWarehouses,
  batchGetCatalogue,
  checkAvailability,
  listStockedProducts,
  issueStock,
  receiveStock,
  reverseIssue,
  reverseReceipt,
  reserve,
  release,
  getStockValue,
  listOrderReservations,
});
