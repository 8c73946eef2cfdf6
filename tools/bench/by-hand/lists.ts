/** Hand-written baseline for trade lists. */
import { finance, inventory } from './books.ts';
import { lister, RECORD, type Row, TODAY } from './program.ts';

/** Converts a row to a lead: `12.5000` → `12.50`. */
const money = (value: string): string => value.replace(/0{1,2}$/, '');
const trimmed = (value: string): string => (value.includes('.') ? value.replace(/\.?0+$/, '') : value);

type Amounts = Record<
  | 'subtotal'
  | 'discount_total'
  | 'net_total'
  | 'tax_total'
  | 'total'
  | 'base_total'
  | 'paid'
  | 'credited'
  | 'balance_due',
  string
>;
type Invoice = Row & Amounts & { status: string; late: number; days_overdue: number };

export const invoices = lister(
  finance,
  'sales_invoices',
  `status = 'posted'`,
  `SELECT record.id, record.number, record.status, record.invoice_date, record.due_date, record.warehouse_id,
     record.reference, record.notes, record.discount, record.currency, record.rate, record.subtotal, record.discount_total,
     record.net_total, record.tax_total, record.total, record.base_total, record.journal_id, record.posted_by,
     record.posted_at, record.customer_id, record.proposal_id, record.sales_order_id, record.agent_id, record.external_id, ${RECORD},
     credit.amount AS credited, coalesce(item.settled, 0) - credit.amount AS paid,
     coalesce(item.amount - item.settled, 0) AS balance_due,
     ${TODAY} - record.due_date AS late,
     ARRAY(SELECT state FROM stock_sagas WHERE workspace_id = $1 AND document_id = record.id AND state IN ('requested', 'reversing')) AS pending_effects
   FROM chosen AS record
   LEFT JOIN open_items AS item ON item.workspace_id = $1 AND item.document_type = 'sales_invoice'
     AND item.document_id = record.id AND NOT item.voided
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(part.amount), 0)::numeric(19, 4) AS amount FROM allocations AS part
     JOIN open_items AS note ON note.id = part.credit_id AND note.document_type = 'credit_note'
     WHERE part.workspace_id = $1 AND part.claim_id = item.id) AS credit`,
  ({ late, ...row }: Invoice) => {
    const isOpen = Number(row.balance_due) > 0;
    return {
      ...row,
      subtotal: money(row.subtotal),
      discount_total: money(row.discount_total),
      net_total: money(row.net_total),
      tax_total: money(row.tax_total),
      total: money(row.total),
      base_total: money(row.base_total),
      paid: money(row.paid),
      credited: money(row.credited),
      balance_due: money(row.balance_due),
      payment_status: 'unpaid',
      is_overdue: isOpen && late > 0,
      days_overdue: isOpen ? Math.max(0, late) : 0,
      allowed_actions: ['cancel'],
    };
  },
);

interface Figures {
  balance: string;
  overdue_balance: string;
  base_balance: string;
  base_overdue_balance: string;
}
type Customer = Row & Figures & { balances: (Figures & { currency: string })[] };

const written = ({ balance, overdue_balance, base_balance, base_overdue_balance }: Figures): Figures => ({
  balance: money(balance),
  overdue_balance: money(overdue_balance),
  base_balance: money(base_balance),
  base_overdue_balance: money(base_overdue_balance),
});

export const customers = lister(
  finance,
  'customers',
  'active',
  `SELECT record.id, record.code, record.name, record.company, record.email, record.phone, record.tax_number,
     record.user_id, record.billing_address, record.shipping_address, record.currency, record.payment_terms_days,
     record.credit_limit, record.external_id, record.metadata, record.active, ${RECORD}, opened.amount AS opening_balance, opened.document_id AS opening_balance_id,
     open.*, record.credit_limit - open.base_balance AS credit_available
   FROM chosen AS record LEFT JOIN open_items AS opened ON opened.workspace_id = $1
     AND opened.document_type = 'opening_balance' AND opened.customer_id = record.id
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(balance) FILTER (WHERE currency = record.currency), 0)::numeric(19, 4) AS balance,
       coalesce(sum(overdue) FILTER (WHERE currency = record.currency), 0)::numeric(19, 4) AS overdue_balance,
       coalesce(sum(base), 0)::numeric(19, 4) AS base_balance,
       coalesce(sum(base_overdue), 0)::numeric(19, 4) AS base_overdue_balance,
       coalesce(json_agg(json_build_object('currency', currency, 'balance', balance::text, 'overdue_balance', overdue::text,
         'base_balance', base::text, 'base_overdue_balance', base_overdue::text)), '[]') AS balances
     FROM (
       SELECT currency, sum(CASE kind WHEN 'claim' THEN rest ELSE - rest END) AS balance,
         coalesce(sum(rest) FILTER (WHERE kind = 'claim' AND due_date < ${TODAY}), 0) AS overdue,
         sum(CASE kind WHEN 'claim' THEN base ELSE - base END) AS base,
         coalesce(sum(base) FILTER (WHERE kind = 'claim' AND due_date < ${TODAY}), 0) AS base_overdue
       FROM open_items CROSS JOIN LATERAL (SELECT amount - settled AS rest, base_amount - base_settled AS base) AS left_of
       WHERE workspace_id = $1 AND customer_id = record.id AND NOT voided AND settled < amount GROUP BY currency) AS one
   ) AS open`,
  (row: Customer) => ({
    ...row,
    ...written(row),
    balances: row.balances.map((one) => ({ currency: one.currency, ...written(one) })),
  }),
);

type Product = Row & {
  sale_price: string;
  purchase_price: string;
  on_hand: string;
  available: string;
  value: string;
  average_cost: string;
};

export const products = lister(
  inventory,
  'products',
  'active',
  `SELECT record.id, record.external_id, record.name, record.sku, record.type, record.category_id, record.unit_id,
     record.sale_price, record.purchase_price, record.description, record.barcode, record.track_stock,
     record.allow_negative, record.reorder_level, record.income_account_id, record.expense_account_id,
     record.stock_account_id, record.active, record.image AS image_url, record.image_thumbnail AS image_thumbnail_url, ${RECORD},
     ARRAY(SELECT tax_id FROM product_taxes WHERE product_id = record.id ORDER BY position) AS tax_ids,
     level.on_hand, level.available, level.value, level.average_cost
   FROM chosen AS record CROSS JOIN LATERAL (
     SELECT coalesce(sum(on_hand), 0) AS on_hand, coalesce(sum(on_hand - reserved), 0) AS available,
       coalesce(sum(value), 0)::numeric(19, 4) AS value, coalesce(sum(value) / nullif(sum(on_hand), 0), 0)::numeric(19, 6) AS average_cost
     FROM stock_levels WHERE workspace_id = $1 AND product_id = record.id) AS level`,
  ({ on_hand, available, value, average_cost, ...row }: Product) => ({
    ...row,
    sale_price: money(row.sale_price),
    purchase_price: money(row.purchase_price),
    total_on_hand: trimmed(on_hand),
    total_available: trimmed(available),
    stock_value: money(value),
    average_cost: average_cost.replace(/0{1,4}$/, ''),
    allowed_actions: ['update', 'archive'],
  }),
);
