/**
 * Hand-written baseline for drafting an invoice: reads the products from inventory, then writes the draft, its lines
 * and its event.
 */
import { randomUUIDv7 } from 'node:crypto';
import { cents, finance, inventory, money } from './books.ts';
import { announce, transaction, workspace_id } from './program.ts';

/** The request. */
export interface Asked {
  customer_id: string;
  invoice_date: string;
  lines: { product_id: string; qty: string }[];
}
interface Product {
  id: string;
  name: string;
  sku: string;
  track_stock: boolean;
  sale_price: string;
  taxes: { id: string; name: string; rate: string }[];
}

/** Returns the lines with their amounts. The rounding remainder of a tax goes to the next line. */
function priced(asked: Asked['lines'], products: ReadonlyMap<string, Product>) {
  let [net_before, tax_before] = [0, 0];
  return asked.map(({ product_id, qty }, position) => {
    const { name, sku, track_stock, sale_price, taxes } = products.get(product_id)!;
    const net = cents(Number(qty) * Number(sale_price));
    const [tax] = taxes;
    net_before += net;
    const amount = Math.round((net_before * Number(tax?.rate ?? 0)) / 100) - tax_before;
    tax_before += amount;
    return {
      id: randomUUIDv7(),
      position,
      product_id,
      product_name: name,
      sku,
      tracked: track_stock,
      qty,
      unit_price: sale_price,
      gross: money(net),
      net: money(net),
      tax: money(amount),
      total: money(net + amount),
      taxes: tax ? [{ ...tax, kind: 'percent', inclusive: false, compound: false, amount: money(amount) }] : [],
    };
  });
}

const totalOf = (lines: readonly { net: string; tax: string; total: string }[], name: 'net' | 'tax' | 'total') =>
  money(lines.reduce((sum, line) => sum + cents(line[name]), 0));

const WRITE_LINES = `
  INSERT INTO invoice_lines (id, workspace_id, sales_invoice_id, position, product_id, product_name, sku, tracked, qty,
    unit_price, gross, line_discount, header_discount, net, tax, total, taxes)
  SELECT id, $3, $2, position, product_id, product_name, sku, tracked, qty, unit_price, gross, 0, 0, net, tax, total, taxes
  FROM jsonb_to_recordset($1::jsonb) AS line (id uuid, position int, product_id uuid, product_name text, sku text,
    tracked boolean, qty numeric, unit_price numeric, gross numeric, net numeric, tax numeric, total numeric, taxes jsonb)`;

export async function draft({ customer_id, invoice_date, lines: asked }: Asked) {
  const { rows: products } = await inventory.query<Product>(
    `SELECT product.id, product.name, product.sku, product.track_stock, trim_scale(product.sale_price)::text AS sale_price,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('id', taxes.id, 'name', taxes.name, 'rate', taxes.rate::text)), '[]')
        FROM product_taxes JOIN taxes ON taxes.id = tax_id WHERE product_taxes.product_id = product.id) AS taxes
     FROM products AS product WHERE workspace_id = $1 AND active AND id = ANY($2)`,
    [workspace_id, asked.map(({ product_id }) => product_id)],
  );
  const { rows: warehouses } = await inventory.query<{ id: string }>(
    'SELECT id FROM warehouses WHERE workspace_id = $1 AND is_default',
    [workspace_id],
  );
  const lines = priced(asked, new Map(products.map((product) => [product.id, product])));
  return await transaction(finance, 'salesInvoices.create', async (client) => {
    const id = randomUUIDv7();
    const { rows: customers } = await client.query<{ currency: string; payment_terms_days: number }>(
      'SELECT currency, payment_terms_days FROM customers WHERE workspace_id = $1 AND id = $2 AND active FOR KEY SHARE',
      [workspace_id, customer_id],
    );
    const { currency, payment_terms_days } = customers[0]!;
    const [net, tax, total] = [totalOf(lines, 'net'), totalOf(lines, 'tax'), totalOf(lines, 'total')];
    const { rows } = await client.query(
      `INSERT INTO sales_invoices (id, workspace_id, customer_id, invoice_date, due_date, warehouse_id, currency,
         subtotal, net_total, tax_total, total, base_total)
       VALUES ($1, $2, $3, $4::date, $4::date + $5::int, $6, $7, $8, $8, $9, $10, $10) RETURNING *`,
      [id, workspace_id, customer_id, invoice_date, payment_terms_days, warehouses[0]?.id, currency, net, tax, total],
    );
    await client.query(WRITE_LINES, [JSON.stringify(lines), id, workspace_id]);
    const data = { sales_invoice_id: id, customer_id, total, currency };
    await announce(client, [{ type: 'finance.sales_invoice.created', aggregate_id: id, data }]);
    return rows[0];
  });
}
