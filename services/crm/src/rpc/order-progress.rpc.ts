/**
 * Methods that list orders and proposals with their invoices as crm knows them, for consistency checks across services.
 */
import { sql } from '@suite/chassis/database';
import { Id } from '@suite/chassis/fields';
import { type ConvertedProposal, CrmServiceDefinition, type OrderProgress } from '@suite/proto/crm/v1/crm';
import { z } from 'zod';
import { type Db, method } from '../operations.ts';

const { methods } = CrmServiceDefinition;

const MAX_ROWS = 1_000;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const PageRequest = z.object({
  after: Id.or(z.literal('')).transform((id) => id || NIL_UUID),
  limit: z.int().min(1).max(MAX_ROWS, `Request at most ${MAX_ROWS}.`),
});
type PageRequest = z.output<typeof PageRequest>;

const ordersOf = (db: Db, { after, limit }: PageRequest): Promise<OrderProgress[]> =>
  db.rows<OrderProgress>(sql`
    SELECT orders.id AS sales_order_id, coalesce(orders.number, '') AS number, orders.status,
      coalesce((SELECT jsonb_agg(jsonb_build_object('line_id', line.id, 'qty_invoiced', trim_scale(line.qty_invoiced)::text,
          'reserved_qty', trim_scale(line.reserved_qty)::text)) FROM sales_lines AS line
        WHERE line.sales_order_id = orders.id AND (line.qty_invoiced <> 0 OR line.reserved_qty <> 0)), '[]') AS lines,
      coalesce((SELECT jsonb_agg(jsonb_build_object('sales_invoice_id', counted.sales_invoice_id, 'cancelled', counted.cancelled))
        FROM order_invoices AS counted WHERE counted.sales_order_id = orders.id), '[]') AS invoices,
      EXISTS (SELECT FROM order_reservations AS attempt
        WHERE attempt.sales_order_id = orders.id AND attempt.state NOT IN ('reserved', 'released')) AS reserving
    FROM sales_orders AS orders WHERE orders.id > ${after}::uuid ORDER BY orders.id LIMIT ${limit}`);

/** Returns sales orders with their counted invoices. */
export const listOrderProgress = method(methods.listOrderProgress, {
  summary: 'List orders with invoiced and reserved quantities',
  only: ['finance'],
  input: PageRequest,
  handle: async ({ db, input }) => ({ orders: await ordersOf(db, input) }),
});

/** Returns converted proposals. */
export const listConvertedProposals = method(methods.listConvertedProposals, {
  summary: 'List converted proposals',
  only: ['finance'],
  input: PageRequest,
  handle: async ({ db, input: { after, limit } }) => ({
    proposals: await db.rows<ConvertedProposal>(sql`
      SELECT id AS proposal_id, coalesce(number, '') AS number, coalesce(invoice_id::text, '') AS invoice_id FROM proposals
      WHERE status = 'converted' AND id > ${after}::uuid ORDER BY id LIMIT ${limit}`),
  }),
});
