/** Taxes, which documents copy: a changed rate does not affect existing documents. */
import { assertVersion, change, find, remove, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { assertUnused } from '@suite/chassis/lists';
import { compare } from '@suite/money';
import type { z } from 'zod';
import type { Db } from '../operations.ts';
import type { TaxChanges, TaxInput } from './tax.schema.ts';

function assertRate(kind: string, rate: string): void {
  if (kind === 'percent' && compare(rate, '100') > 0) throw invalid('rate', 'Enter a rate of at most 100 per cent.');
}

/** Creates a tax. @throws a 422 fault for a rate above 100 % */
export async function createTax(db: Db, input: z.output<typeof TaxInput>) {
  assertRate(input.kind, input.rate);
  return await db.tax.create({ data: input });
}

/** Updates a tax. @throws a 422 fault for a rate above 100 % */
export async function changeTax(
  db: Db,
  id: string,
  { version: _, ...patch }: z.output<typeof TaxChanges>,
  expect: number | undefined,
) {
  await db.rows(sql`SELECT FROM taxes WHERE id = ${id}::uuid FOR UPDATE`);
  const before = await find(db.tax, id);
  assertVersion(before, expect);
  assertRate(patch.kind ?? before.kind, patch.rate ?? before.rate.toFixed());
  return await change(db.tax, id, patch);
}

/** Deletes a tax. @throws InUse if products have the tax */
export async function removeTax(db: Db, id: string): Promise<{ id: string }> {
  await assertUnused(async () => ({ products: await db.productTax.count({ where: { tax_id: id } }) }));
  return await remove(db.tax, id);
}
