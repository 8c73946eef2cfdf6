import { invalid } from '@suite/chassis';
import type { Rpc } from '../operations.ts';
import { TaxSnapshot } from './cash.schema.ts';

/** The tax as inventory's catalogue has it now; undefined when the caller says nothing of it. @throws a 422 */
export async function snapshotTax(
  rpc: Rpc,
  tax_id: string | null | undefined,
): Promise<TaxSnapshot | null | undefined> {
  if (tax_id === undefined || tax_id === null) return tax_id;
  const { taxes } = await rpc.inventory.batchGetTaxes({ tax_ids: [tax_id] });
  const [tax] = taxes;
  if (!tax) throw invalid('tax_id', 'There is no such tax.');
  if (!tax.active) throw invalid('tax_id', 'This tax is archived.');
  const { tax_id: id, active: _, ...rest } = tax;
  return TaxSnapshot.parse({ id, ...rest });
}
