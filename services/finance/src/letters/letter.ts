/** What the letters of finance have in common. */
import { type Caller, NotFound, sql } from '@suite/chassis';
import { sum } from '@suite/money';
import type { Letter, Recipient, TaxSum } from '@suite/paper';
import type { z } from 'zod';
import type { LineTax } from '../documents/document.schema.ts';
import type { Db, Rpc } from '../operations.ts';

/** What a record is printed with. */
export interface Print<Shown> {
  record: Shown;
  caller: Caller;
  read: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  rpc: Rpc;
}

type Addressee = Recipient & { code: string };

/** A customer as a letter addresses them, and who writes; platform is asked last, when nothing else can be missing. */
export async function correspondents(
  { read, rpc }: Pick<Print<unknown>, 'read' | 'rpc'>,
  customer_id: string,
): Promise<{ to: Addressee; from: Letter['from'] }> {
  const [to] = await read((db) =>
    db.rows<Addressee>(sql`
      SELECT code, name, company, billing_address AS address, tax_number FROM customers WHERE id = ${customer_id}::uuid`),
  );
  if (!to) throw NotFound();
  return { to, from: await rpc.platform.getLetterhead({}) };
}

/** What each tax comes to: the amounts of the lines, as they are stored, added up. */
export function taxSums(lines: readonly { taxes: readonly z.output<typeof LineTax>[] }[], currency: string): TaxSum[] {
  const levied = Map.groupBy(
    lines.flatMap(({ taxes }) => taxes),
    ({ id, rate }) => `${id} ${rate}`,
  );
  const total = (amounts: string[]) => sum(amounts, currency);
  return [...levied.values()].map((same) => ({
    ...same[0]!,
    base: total(same.map(({ base }) => base)),
    amount: total(same.map(({ amount }) => amount)),
  }));
}
