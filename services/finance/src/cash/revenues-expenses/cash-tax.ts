import { assertActive, taxSnapshot, type TaxSnapshot } from '@suite/document-lines';
import type { Rpc } from '../../operations.ts';

/**
 * Returns the tax with its current values from inventory's catalogue; undefined if the request has no tax. @throws a
 * 422
 */
export async function snapshotTax(
  rpc: Rpc,
  tax_id: string | null | undefined,
): Promise<TaxSnapshot | null | undefined> {
  if (tax_id === undefined || tax_id === null) return tax_id;
  const { taxes } = await rpc.inventory.batchGetTaxes({ tax_ids: [tax_id] });
  return taxSnapshot(assertActive(taxes[0], 'tax_id', 'tax'));
}
