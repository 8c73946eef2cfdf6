import { sql } from '@suite/chassis/database';
import { numbering } from '@suite/numbering';
import { type Db, tableNamed } from '../../operations.ts';

const issueNumber = numbering({
  quote: { prefix: 'QUO', yearly: true },
  sales_order: { prefix: 'SO', yearly: true },
  proposal: { prefix: 'PRO', yearly: true },
});
const TABLES = { quote: 'quotes', sales_order: 'sales_orders', proposal: 'proposals' } as const;

/**
 * Assigns a document its official number in the year of its date, unless it has one, and returns it. Every issued
 * number is recorded permanently, because a rejected document may be deleted.
 */
export async function assignNumber(db: Db, type: keyof typeof TABLES, id: string, date: string): Promise<string> {
  const table = tableNamed(TABLES[type]);
  const [known] = await db.rows<{ number: string | null }>(sql`SELECT number FROM ${table} WHERE id = ${id}::uuid`);
  if (known?.number) return known.number;
  const { number: given, year, sequence } = await issueNumber(db, type, date);
  await db.rows(sql`
    INSERT INTO given_numbers (type, year, sequence, document_id) VALUES (${type}, ${year}, ${sequence}, ${id}::uuid)`);
  await db.rows(sql`UPDATE ${table} SET number = ${given} WHERE id = ${id}::uuid`);
  return given;
}
