/** Looks up the products and taxes of lines in inventory, and rejects unknown or archived records. */
import { invalid } from '@suite/chassis/faults';
import type { BatchGetCatalogueRequest } from '@suite/proto/inventory/v1/inventory';
import type { LineInput } from './line.schema.ts';

/**
 * Collects the products and taxes of the lines, each once, for one request to inventory before the transaction.
 * @param warehouse_ids defaults to all active warehouses
 */
export const catalogueRequest = (
  lines: readonly Pick<LineInput, 'product_id' | 'tax_ids'>[],
  warehouse_ids: string[] = [],
): Omit<BatchGetCatalogueRequest, 'without_warehouses'> => ({
  product_ids: [...new Set(lines.flatMap(({ product_id }) => product_id ?? []))],
  tax_ids: [...new Set(lines.flatMap((line) => line.tax_ids ?? []))],
  warehouse_ids,
});

/** Returns a record that a document names, archived or not. @throws a 422 for an unknown record */
export function assertKnown<T>(found: T | undefined, field: string, noun: string): T {
  if (!found) throw invalid(field, `${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found.`);
  return found;
}

/** Returns a record that a body names, as inventory knows it. @throws a 422 with the reason: unknown or archived */
export function assertActive<T extends { active: boolean }>(found: T | undefined, field: string, noun: string): T {
  const record = assertKnown(found, field, noun);
  if (!record.active) throw invalid(field, `This ${noun} is archived.`);
  return record;
}
