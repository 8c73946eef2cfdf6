/**
 * Refunds of a POS order: parts of its lines or the remainder. The amounts of a part depend on the parts refunded
 * before. For any split, the refunds therefore add up to the order exactly.
 */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { fault, invalid, NotFound } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { clock, today } from '@suite/chassis/runtime';
import type { TaxSnapshot } from '@suite/document-lines';
import { compare, type LineAmounts, partOfLine, portion, type DocumentSums, sum, sumLines } from '@suite/money';
import { PosOrderRefunded } from '@suite/proto/inventory/v1/events';
import type { Db, CommandContext } from '../operations.ts';
import { Decimal, sumOf } from '../movements/decimal.ts';
import type { PostingLine } from '../movements/movement.ts';
import { postMoves } from '../movements/posting.ts';
import { refundPayments, type PosPayment, withoutChange } from './payment.rules.ts';
import { SOURCE } from './pos-order.ts';
import { posStates } from './pos-order.rules.ts';
import type { PosRefundInput } from './pos-order.schema.ts';
import { announcedTaxes, shareOf, untaxedOf } from './pos-event.ts';

export const OverRefunded = fault(
  422,
  'over_refunded',
  'The quantity exceeds the remaining quantity of the sale. Enter a smaller quantity.',
);

/** Fields of a sale that a refund needs. */
interface RefundableSale {
  id: string;
  number: string;
  status: string;
  warehouse_id: string;
  customer_id: string | null;
  currency: string;
  change: string;
  refunded_total: string;
}

/** Line of a POS order with its refunded quantity. */
interface SoldLine extends LineAmounts<TaxSnapshot> {
  id: string;
  position: number;
  product_id: string;
  qty: string;
  taken: string;
  left: string;
  cost: string;
  /** Accounts of the sale, and the current stock account of the product. */
  income_account_id: string | null;
  expense_account_id: string | null;
  stock_account_id: string | null;
  held_by: string | null;
}

/** Locks the sale until the transaction ends, so that its other refunds wait. @throws NotFound */
async function lockSale(db: Db, id: string): Promise<RefundableSale> {
  const [sale] = await db.rows<RefundableSale>(sql`
    SELECT id, number, status, warehouse_id, customer_id, currency, change, refunded_total
    FROM pos_orders WHERE id = ${id}::uuid FOR UPDATE`);
  if (!sale) throw NotFound();
  return sale;
}

const linesOf = (db: Db, id: string): Promise<SoldLine[]> =>
  db.rows<SoldLine>(sql`
    SELECT line.id, line.position, line.product_id, trim_scale(line.qty)::text AS qty,
      trim_scale(before.taken)::text AS taken, trim_scale(line.qty - before.taken)::text AS left,
      line.gross, line.discount, line.header_discount, line.net, line.tax, line.total, line.taxes, line.cost,
      line.income_account_id, line.expense_account_id, line.stock_account_id, product.stock_account_id AS held_by
    FROM pos_order_lines AS line JOIN products AS product ON product.id = line.product_id CROSS JOIN LATERAL (
      SELECT coalesce(sum(part.qty), 0) AS taken FROM pos_refund_lines AS part
      WHERE part.pos_order_line_id = line.id) AS before
    WHERE line.pos_order_id = ${id}::uuid ORDER BY line.position`);

type RefundRequestLine = NonNullable<PosRefundInput['lines']>[number];

/** Returns the remaining quantities of an order, as goods to restock. */
const remainingLines = (lines: readonly SoldLine[]): RefundRequestLine[] =>
  lines.filter(({ left }) => left !== '0').map(({ id, left }) => ({ line_id: id, qty: left, restock: true }));

/** Refunded part of a line with its amounts. */
interface RefundedPart extends LineAmounts<TaxSnapshot> {
  line: SoldLine;
  qty: string;
  restock: boolean;
  /** Cost of the goods of the line. */
  cost: string;
}

/**
 * Returns the refunded parts of lines. @throws OverRefunded with the line; a 422 fault for an unknown or repeated line
 */
function partsOf(
  requestedLines: readonly RefundRequestLine[],
  lines: readonly SoldLine[],
  currency: string,
): RefundedPart[] {
  const sold = new Map(lines.map((line) => [line.id, line]));
  return requestedLines.map(({ line_id, qty, restock }, at) => {
    const line = sold.get(line_id);
    if (!line) throw invalid(`lines.${at}.line_id`, 'Line not found in this sale.');
    if (requestedLines.findIndex((other) => other.line_id === line_id) !== at)
      throw invalid(`lines.${at}.line_id`, 'This line occurs twice. Remove one.');
    if (compare(qty, line.left) > 0) throw OverRefunded({ line_id, refundable: line.left, field: `lines.${at}.qty` });
    const progress = { whole: line.qty, before: line.taken, now: qty };
    const cost = portion(line.cost, progress, currency);
    return { line, qty, restock, cost, ...partOfLine(line, progress, currency) };
  });
}

/** Totals of a refund. */
interface RefundTotals extends DocumentSums<TaxSnapshot> {
  id: string;
  position: number;
  number: string;
  business_date: string;
  cost: string;
  restocked_cost: string;
  payments: PosPayment[];
}

/** Calculates the amounts and payments of a refund. */
async function refundOf(
  db: Db,
  sale: RefundableSale,
  parts: readonly RefundedPart[],
  business_date: string,
): Promise<RefundTotals> {
  const { currency } = sale;
  const [before] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM pos_refunds WHERE pos_order_id = ${sale.id}::uuid`);
  const paid = await db.rows<PosPayment>(sql`
    SELECT method, amount FROM pos_payments WHERE pos_order_id = ${sale.id}::uuid ORDER BY position`);
  const sums = sumLines(parts, currency);
  const costOf = (some: readonly RefundedPart[]) =>
    sum(
      some.map(({ cost }) => cost),
      currency,
    );
  const position = before!.count + 1;
  return {
    ...sums,
    id: randomUUIDv7(),
    position,
    number: `${sale.number}-R${position}`,
    business_date,
    cost: costOf(parts),
    restocked_cost: costOf(parts.filter(({ restock }) => restock)),
    payments: refundPayments(withoutChange(paid, sale.change, currency), sale.refunded_total, sums.total, currency),
  };
}

/** Restocks saleable goods at the value that they were issued at. */
async function restockGoods(
  context: CommandContext,
  sale: RefundableSale,
  { id, business_date }: RefundTotals,
  parts: readonly RefundedPart[],
): Promise<void> {
  const moves = parts
    .filter(({ restock }) => restock)
    .map(({ line, qty, cost }): PostingLine => {
      const { position, product_id } = line;
      const goods = { qty: new Decimal(qty), value: new Decimal(cost), reason: 'pos' } as const;
      return { line_id: String(position), product_id, warehouse_id: sale.warehouse_id, ...goods };
    });
  if (moves.length === 0) return;
  await postMoves(context, { key: `refund:pos:${id}`, source: { type: SOURCE, id: sale.id }, business_date, moves });
}

async function writeRefund(
  db: Db,
  pos_order_id: string,
  reason: string | null,
  refund: RefundTotals,
  parts: readonly RefundedPart[],
) {
  const { id, position, number, net_total, tax_total, total, cost, restocked_cost, taxes, payments } = refund;
  await db.posRefund.create({
    data: {
      id,
      pos_order_id,
      position,
      number,
      business_date: midnight(refund.business_date),
      reason,
      net_total,
      tax_total,
      total,
      cost,
      restocked_cost,
      taxes: [...taxes],
      payments: payments.map(({ method, amount }) => ({ method, amount })),
    },
  });
  await db.posRefundLine.createMany({
    data: parts.map(({ line, qty, restock, net, tax, total: all, cost: worth }) => ({
      pos_refund_id: id,
      pos_order_line_id: line.id,
      qty,
      restock,
      net,
      tax,
      total: all,
      cost: worth,
    })),
  });
}

/** Emits the event that finance posts. */
function emitRefunded(
  { emit }: CommandContext,
  sale: RefundableSale,
  refund: RefundTotals,
  parts: readonly RefundedPart[],
  isLast: boolean,
): void {
  const { id: refund_id, number: refund_number, position, business_date, taxes, payments } = refund;
  const { total, tax_total, cost, restocked_cost } = refund;
  const isHeldElsewhere = parts.some(({ line }) => line.stock_account_id !== line.held_by);
  const isWhole = isLast && position === 1 && restocked_cost === cost && !isHeldElsewhere;
  emit(PosOrderRefunded, {
    pos_order_id: sale.id,
    number: sale.number,
    business_date,
    total,
    tax_total,
    cost,
    refund_id,
    refund_number,
    partial: !isWhole,
    status: isLast ? 'refunded' : 'partially_refunded',
    restocked_cost,
    customer_id: sale.customer_id ?? '',
    payments,
    taxes: announcedTaxes(taxes),
    untaxed: untaxedOf(parts, sale.currency),
    shares: parts.map(({ line, net, restock, cost: worth }) =>
      shareOf({ ...line, stock_account_id: line.held_by, net }, restock ? worth : '0'),
    ),
  });
}

/**
 * Refunds the named lines or the remainder of an order, dated today. If nothing remains, refunding the remainder has no
 * effect. Scrap is not returned to stock, so that its cost remains.
 * @throws OverRefunded; a 422 for an unknown line or a duplicate; NotFound
 */
export async function refund(context: CommandContext, id: string, { lines, reason }: PosRefundInput): Promise<void> {
  const { db, caller } = context;
  const sale = await lockSale(db, id);
  if (!lines && sale.status === 'refunded') return;
  const sold = await linesOf(db, id);
  const parts = partsOf(lines ?? remainingLines(sold), sold, sale.currency);
  const given = await refundOf(db, sale, parts, today(caller.timezone));
  const left = sumOf(sold, (line) => new Decimal(line.left));
  const isLast = left.eq(sumOf(parts, ({ qty }) => new Decimal(qty)));
  await writeRefund(db, id, reason, given, parts);
  await restockGoods(context, sale, given, parts);
  const refunded_total = sum([sale.refunded_total, given.total], sale.currency);
  await posStates.move(db.posOrder, id, isLast ? 'refund' : 'refund_part', {
    refunded_total,
    ...(isLast && { refunded_at: clock.now() }),
  });
  emitRefunded(context, sale, given, parts, isLast);
}
