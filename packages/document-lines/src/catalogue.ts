/** The question that lines have for inventory, and how an unknown or archived record is refused. */
import { invalid } from '@suite/chassis';
import type { BatchGetCatalogueRequest } from '@suite/proto/inventory/v1/inventory';
import type { LineInput } from './line.schema.ts';

/**
 * The products and taxes that lines name, each once, for one question to inventory; before the transaction.
 * @param warehouse_ids inventory returns all active ones where none is named
 */
export const catalogueRequest = (
  lines: readonly Pick<LineInput, 'product_id' | 'tax_ids'>[],
  warehouse_ids: string[] = [],
): Omit<BatchGetCatalogueRequest, 'without_warehouses'> => ({
  product_ids: [...new Set(lines.flatMap(({ product_id }) => product_id ?? []))],
  tax_ids: [...new Set(lines.flatMap((line) => line.tax_ids ?? []))],
  warehouse_ids,
});

/** A record that a body names, as inventory knows it. @throws a 422 that says which: unknown or archived */
export function assertActive<T extends { active: boolean }>(found: T | undefined, field: string, noun: string): T {
  if (!found) throw invalid(field, `${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found.`);
  if (!found.active) throw invalid(field, `This ${noun} is archived.`);
  return found;
}
