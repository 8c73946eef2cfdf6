/** Possible parents of a meeting: crm records visible to the caller, and customers in finance. */
import { asCaller, type Sql, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { type Page, pageOf } from '@suite/chassis/lists';
import type { Customer } from '@suite/proto/finance/v1/finance';
import type { Db } from '../../operations.ts';
import type { ParentType } from './meeting.schema.ts';

type CrmParentType = Exclude<ParentType, 'customer'>;

interface ParentSearch {
  parent_type: CrmParentType;
  q?: string | undefined;
  page: number;
  limit: number;
}

/** Selectable rows of each kind, with their name and a detail that distinguishes them. */
const candidates: Record<CrmParentType, Sql> = {
  lead: sql`SELECT id, name, company AS detail, updated_at FROM leads`,
  deal: sql`SELECT id, name, phone AS detail, updated_at FROM deals`,
  opportunity: sql`SELECT id, name, customer_name AS detail, updated_at FROM opportunities`,
  quote: sql`SELECT id, coalesce(number, 'Draft quote') AS name, customer_name AS detail, updated_at FROM quotes`,
  order: sql`SELECT id, coalesce(number, 'Draft order') AS name, customer_name AS detail, updated_at FROM sales_orders`,
};

/** Permission to see each kind of parent. */
export const viewOf: Record<ParentType, string> = {
  lead: 'lead.view',
  deal: 'deal.view',
  opportunity: 'opportunity.view',
  customer: 'customer.view',
  quote: 'quote.view',
  order: 'sales_order.view',
};

/** Column of a meeting that references a parent of each kind. */
const COLUMNS = {
  lead: 'lead_id',
  deal: 'deal_id',
  opportunity: 'opportunity_id',
  customer: 'customer_id',
  quote: 'quote_id',
  order: 'sales_order_id',
} as const;

/** Returns a page of records of a kind whose name or detail contains the search term, last changed first. */
export async function parentCandidates(db: Db, { parent_type, q = '', ...paging }: ParentSearch): Promise<Page> {
  const typed = `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const found = sql`FROM (${candidates[parent_type]}) AS candidates
    WHERE suite_unaccented(name) ILIKE suite_unaccented(${typed}) OR suite_unaccented(detail) ILIKE suite_unaccented(${typed})`;
  const rows = await db.rows(sql`
    SELECT ${parent_type} AS parent_type, id, name, detail ${found}
    ORDER BY updated_at DESC, id DESC LIMIT ${paging.limit} OFFSET ${(paging.page - 1) * paging.limit}`);
  const [counted] = await db.rows<{ total: number }>(sql`SELECT count(*)::int AS total ${found}`);
  return pageOf(rows, { page: paging.page, per_page: paging.limit }, counted!.total);
}

/**
 * Returns the columns of a meeting that reference its parent.
 * @throws a 422 that names the field, if the parent does not exist or the caller cannot see it
 */
export async function parentColumns(
  db: Db,
  { parent_type, parent_id }: { parent_type: ParentType; parent_id: string },
  customer: Customer | undefined,
) {
  const none = { lead_id: null, deal_id: null, opportunity_id: null, quote_id: null, sales_order_id: null };
  const named = { ...none, customer_id: null, customer_name: null, [COLUMNS[parent_type]]: parent_id };
  if (parent_type === 'customer') return { ...named, customer_name: customer?.name ?? '' };
  const [found] = await asCaller(() =>
    db.rows(sql`SELECT id FROM (${candidates[parent_type]}) AS candidates WHERE id = ${parent_id}::uuid`),
  );
  if (!found) throw invalid('parent_id', 'Record not found.');
  return named;
}

/** Current name of the record that a meeting is about. */
export const parentName: Sql = sql`coalesce(meetings.customer_name,
  (SELECT name FROM leads WHERE leads.id = meetings.lead_id),
  (SELECT name FROM deals WHERE deals.id = meetings.deal_id),
  (SELECT name FROM opportunities WHERE opportunities.id = meetings.opportunity_id),
  (SELECT coalesce(number, 'Draft quote') FROM quotes WHERE quotes.id = meetings.quote_id),
  (SELECT coalesce(number, 'Draft order') FROM sales_orders WHERE sales_orders.id = meetings.sales_order_id))`;
