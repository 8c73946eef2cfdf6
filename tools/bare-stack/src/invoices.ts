/** Invoices: creates a draft with its lines, and posts it with the goods issued from the second database. */
import { randomUUIDv7 } from 'node:crypto';
import { main, stock } from './databases.ts';
import type { Prisma } from './generated/client.ts';

export interface InvoiceRequest {
  customer_id: string;
  invoice_date: string;
  lines: { product_id: string; qty: string }[];
}

const DAY_MS = 86_400_000;
const cent = (amount: number): number => Math.round(amount * 100) / 100;
const sumOf = (amounts: readonly number[]): number => cent(amounts.reduce((sum, amount) => sum + amount, 0));

export async function draft({ customer_id, invoice_date, lines: asked }: InvoiceRequest) {
  const [customer, products] = await Promise.all([
    main.customer.findFirstOrThrow({
      where: { id: customer_id, active: true },
      select: { currency: true, payment_terms_days: true },
    }),
    stock.product.findMany({ where: { id: { in: asked.map(({ product_id }) => product_id) } } }),
  ]);
  const known = new Map(products.map((product) => [product.id, product]));
  const lines = asked.map(({ product_id, qty }, position) => {
    const { name, sku, sale_price, tax_rate } = known.get(product_id)!;
    const net = cent(Number(qty) * Number(sale_price));
    const tax = cent((net * Number(tax_rate)) / 100);
    const total = cent(net + tax);
    return {
      id: randomUUIDv7(),
      position,
      product_id,
      product_name: name,
      sku,
      qty,
      unit_price: sale_price,
      net,
      tax,
      total,
    };
  });
  const date = new Date(invoice_date);
  const invoice = await main.invoice.create({
    data: {
      customer_id,
      invoice_date: date,
      due_date: new Date(date.getTime() + customer.payment_terms_days * DAY_MS),
      currency: customer.currency,
      net_total: sumOf(lines.map(({ net }) => net)),
      tax_total: sumOf(lines.map(({ tax }) => tax)),
      total: sumOf(lines.map(({ total }) => total)),
      lines: { createMany: { data: lines } },
    },
  });
  return { ...invoice, lines };
}

interface Line {
  id: string;
  product_id: string;
  qty: Prisma.Decimal;
}
interface Level {
  product_id: string;
  on_hand: string;
  value: string;
}

/** Issues the goods of an invoice from stock at average cost. Returns the cost of each line. */
const issue = (invoice_id: string, lines: readonly Line[]) =>
  stock.$transaction(async (db) => {
    // Uses a fixed order, so that two invoices never deadlock.
    const levels = await db.$queryRaw<Level[]>`
      SELECT product_id, on_hand::text, value::text FROM stock_levels
      WHERE product_id = ANY(${lines.map(({ product_id }) => product_id)}::uuid[]) ORDER BY product_id FOR UPDATE`;
    const known = new Map(levels.map((level) => [level.product_id, level]));
    const taken = lines.map(({ id, product_id, qty }) => {
      const { on_hand, value } = known.get(product_id)!;
      const cost = cent((Number(qty) * Number(value)) / Number(on_hand));
      return { id, product_id, qty: Number(qty), cost, balance_after: Number(on_hand) - Number(qty) };
    });
    await db.$executeRaw`
      UPDATE stock_levels AS level SET on_hand = on_hand - qty, value = value - cost
      FROM unnest(${taken.map(({ product_id }) => product_id)}::uuid[], ${taken.map(({ qty }) => qty)}::numeric[],
        ${taken.map(({ cost }) => cost)}::numeric[]) AS taken (product_id, qty, cost)
      WHERE level.product_id = taken.product_id`;
    await db.stockMovement.createMany({
      data: taken.map(({ product_id, qty, cost, balance_after }) => ({
        product_id,
        invoice_id,
        qty: -qty,
        value: -cost,
        balance_after,
      })),
    });
    return taken;
  });

export async function post(id: string) {
  const invoice = await main.invoice.findFirstOrThrow({
    where: { id, status: 'draft' },
    include: { lines: { orderBy: { position: 'asc' } }, customer: { select: { name: true } } },
  });
  const { customer_id, customer, invoice_date: date, due_date, currency, net_total, tax_total, total, lines } = invoice;
  const taken = await issue(id, lines);
  const cost = sumOf(taken.map((line) => line.cost));
  const entry_id = randomUUIDv7();
  const side = (account: string, debit: Prisma.Decimal | number, credit: Prisma.Decimal | number) => ({
    entry_id,
    account,
    debit,
    credit,
  });
  return await main.$transaction(async (db) => {
    const [{ number } = { number: '' }] = await db.$queryRaw<{ number: string }[]>`
      UPDATE invoices SET status = 'posted', posted_at = now(), updated_at = now(),
        number = ${`INV-${date.getUTCFullYear()}-`} || lpad(nextval('invoice_numbers')::text, 5, '0')
      WHERE id = ${id}::uuid AND status = 'draft' RETURNING number`;
    if (!number) throw new Error('Draft not found.');
    await db.$executeRaw`
      UPDATE invoice_lines AS line SET cost = taken.cost
      FROM unnest(${taken.map((line) => line.id)}::uuid[], ${taken.map((line) => line.cost)}::numeric[]) AS taken (id, cost)
      WHERE line.id = taken.id`;
    await db.openItem.create({ data: { customer_id, invoice_id: id, due_date, currency, amount: total } });
    const narration = `${number}: ${customer.name}`;
    await db.journalEntry.create({ data: { id: entry_id, date, invoice_id: id, narration } });
    await db.journalLine.createMany({
      data: [
        side('receivable', total, 0),
        side('sales', 0, net_total),
        side('tax', 0, tax_total),
        side('cost of goods', cost, 0),
        side('stock', 0, cost),
      ],
    });
    return {
      ...invoice,
      number,
      status: 'posted',
      lines: lines.map((line, at) => ({ ...line, cost: taken[at]!.cost })),
    };
  });
}
