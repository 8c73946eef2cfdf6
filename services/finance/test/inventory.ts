/** Inventory, as far as finance asks it. */
import { serveRpc } from '@suite/chassis';
import { InventoryServiceDefinition, type Tax } from '@suite/proto/inventory/v1/inventory';

const never = () => Promise.reject(new Error('This test does not expect to ask inventory for that.'));

/** What a test may say of inventory, and what answers for it. */
export function standInInventory() {
  const taxes = new Map<string, Tax>();
  /** The value of all stock. */
  const stock = { value: '0.00' };
  const served = serveRpc(InventoryServiceDefinition, {
    batchGetTaxes: ({ tax_ids }) =>
      Promise.resolve({ taxes: tax_ids.map((id) => taxes.get(id)).filter((tax) => tax !== undefined) }),
    getStockValue: ({ sources }) =>
      Promise.resolve({ value: stock.value, sources: sources.map((source) => ({ source, value: '0' })) }),
    batchGetProducts: never,
    batchGetWarehouses: never,
    checkAvailability: never,
    issueStock: never,
    receiveStock: never,
    reverseIssue: never,
    reverseReceipt: never,
    reserve: never,
    release: never,
  });
  return { taxes, stock, served };
}
