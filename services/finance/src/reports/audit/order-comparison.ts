/**
 * Comparison of crm's orders and proposals with their invoices and with inventory's reservations. Events that crm has
 * not received yet are not an error: the comparison uses the invoices that crm has counted.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '@suite/chassis/database';
import type { ConvertedProposal, OrderProgress } from '@suite/proto/crm/v1/crm';
import type { OrderReservation } from '@suite/proto/inventory/v1/inventory';
import type { Db, Rpc } from '../../operations.ts';

/** Names of the rules, as in `npm run audit`. */
export const ORDER_RULES = {
  invoiced: 'the invoiced quantity of an order line is the sum of its posted lines',
  counted: 'crm counts posted and cancelled invoices of an order within a minute',
  reserved: 'the reserved quantity of an order line is the open reservation in inventory',
  drafts: 'only orders that are confirmed or completed have draft invoices',
  proposals: 'a converted proposal has an invoice that is not cancelled',
} as const;

/** Violation of a rule. */
interface Violation {
  rule: keyof typeof ORDER_RULES;
  detail: string;
}

/** Result of a check, as in the integrity report. */
export interface CheckResult {
  name: string;
  /** Null if the check did not run in time. */
  holds: boolean | null;
  violations: string[];
}

interface ProofContext {
  rpc: Rpc;
  /** Time at which the reading ends, by `performance.now()`. Infinity without a limit. */
  ends_at: number;
  read: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
}

const PAGE = 500;
const RETRY_MS = 1_000;
const MAX_VIOLATIONS = 20;

/** Error of a comparison that reads more than the time allows. */
class DeadlineExceeded extends Error {}

/** Returns all rows of a paginated method. @throws OutOfTime */
async function readAllPages<Row>(
  { ends_at }: ProofContext,
  page: (after: string) => Promise<Row[]>,
  idOf: (row: Row) => string,
): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    if (performance.now() > ends_at) throw new DeadlineExceeded();
    const last = all.at(-1);
    const rows = await page(last ? idOf(last) : '');
    all.push(...rows);
    if (rows.length < PAGE) return all;
  }
}

const listOrders = (context: ProofContext): Promise<OrderProgress[]> =>
  readAllPages(
    context,
    async (after) => (await context.rpc.crm.listOrderProgress({ after, limit: PAGE })).orders,
    ({ sales_order_id }) => sales_order_id,
  );

const listProposals = (context: ProofContext): Promise<ConvertedProposal[]> =>
  readAllPages(
    context,
    async (after) => (await context.rpc.crm.listConvertedProposals({ after, limit: PAGE })).proposals,
    ({ proposal_id }) => proposal_id,
  );

async function listReservations(
  { rpc, ends_at }: ProofContext,
  orders: readonly OrderProgress[],
): Promise<OrderReservation[]> {
  const all: OrderReservation[] = [];
  for (let at = 0; at < orders.length; at += PAGE) {
    if (performance.now() > ends_at) throw new DeadlineExceeded();
    const sales_order_ids = orders.slice(at, at + PAGE).map(({ sales_order_id }) => sales_order_id);
    all.push(...(await rpc.inventory.listOrderReservations({ sales_order_ids })).reservations);
  }
  return all;
}

/** Returns the orders with drafts. */
const ordersWithDrafts = async (db: Db): Promise<Set<string>> => {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT DISTINCT sales_order_id AS id FROM sales_invoices WHERE sales_order_id IS NOT NULL AND status = 'draft'`);
  return new Set(rows.map(({ id }) => id));
};

interface BilledLine {
  line_id: string;
  qty: string;
}

/** Returns the quantities of order lines that these invoices bill. Posted lines never change. */
const readBilledLines = (db: Db, invoice_ids: readonly string[]): Promise<BilledLine[]> =>
  db.rows<BilledLine>(sql`
    SELECT line.source_id AS line_id, trim_scale(sum(line.qty))::text AS qty
    FROM invoice_lines AS line JOIN sales_invoices AS invoice ON invoice.id = line.sales_invoice_id
    WHERE invoice.id = ANY(${invoice_ids}::uuid[]) AND invoice.status <> 'draft' AND line.source_type = 'sales_order'
    GROUP BY line.source_id`);

interface PendingInvoice {
  sales_order_id: string;
  number: string;
  is_late: boolean;
}

/**
 * Returns invoices of these orders that crm has not counted as posted or cancelled, and invoices with goods in transit.
 */
const readPendingInvoices = (db: Db, orders: readonly OrderProgress[]): Promise<PendingInvoice[]> => {
  const counted = orders.flatMap(({ invoices }) => invoices);
  const live = counted.filter(({ cancelled }) => !cancelled);
  const idsOf = (some: typeof counted) => some.map(({ sales_invoice_id }) => sales_invoice_id);
  return db.rows<PendingInvoice>(sql`
    SELECT invoice.sales_order_id, invoice.number, lasting.since < now() - interval '1 minute' AS is_late
    FROM sales_invoices AS invoice CROSS JOIN LATERAL (SELECT CASE
      WHEN invoice.id <> ALL(${idsOf(counted)}::uuid[]) THEN invoice.posted_at
      WHEN invoice.status = 'cancelled' AND invoice.id = ANY(${idsOf(live)}::uuid[]) THEN invoice.updated_at
      WHEN EXISTS (SELECT FROM stock_sagas AS saga WHERE saga.document_id = invoice.id
        AND saga.state NOT IN ('settled', 'reversed')) THEN now() END AS since) AS lasting
    WHERE invoice.status <> 'draft' AND lasting.since IS NOT NULL
      AND invoice.sales_order_id = ANY(${orders.map(({ sales_order_id }) => sales_order_id)}::uuid[])`);
};

/** Finds lines with different quantities. A missing quantity counts as zero. */
function differences(
  { number, sales_order_id }: OrderProgress,
  [here, there]: [ReadonlyMap<string, string>, ReadonlyMap<string, string>],
  text: (mine: string, other: string) => string,
): string[] {
  return [...new Set([...here.keys(), ...there.keys()])].flatMap((id) => {
    const [mine, other] = [here.get(id) ?? '0', there.get(id) ?? '0'];
    return mine === other ? [] : [`${number || sales_order_id}, line ${id}: ${text(mine, other)}`];
  });
}

const quantities = (lines: readonly { line_id: string; qty: string }[]) =>
  new Map(lines.map(({ line_id, qty }) => [line_id, qty]));

/** Compares the lines of orders. @param waiting orders with uncounted invoices or goods in transit */
function compareLines(
  orders: readonly OrderProgress[],
  billed: ReadonlyMap<string, string>,
  reservations: readonly OrderReservation[],
  waiting: ReadonlySet<string>,
): Violation[] {
  const reserved = Map.groupBy(reservations, ({ sales_order_id }) => sales_order_id);
  const isOf = new Map(orders.map((order) => [order.sales_order_id, order]));
  return [...isOf.values()].flatMap((order): Violation[] => {
    const { sales_order_id, lines, reserving } = order;
    const invoiced = quantities(lines.map(({ line_id, qty_invoiced: qty }) => ({ line_id, qty })));
    const bills = new Map([...invoiced.keys()].map((id) => [id, billed.get(id) ?? '0']));
    const wrong = differences(order, [invoiced, bills], (mine, other) => `${mine} invoiced, ${other} on its invoices`);
    const held = quantities(lines.map(({ line_id, reserved_qty: qty }) => ({ line_id, qty })));
    const isSettled = !reserving && !waiting.has(sales_order_id);
    const there = quantities(reserved.get(sales_order_id) ?? []);
    const off = isSettled
      ? differences(order, [held, there], (mine, other) => `${mine} reserved, ${other} in stock`)
      : [];
    return [
      ...wrong.map((detail): Violation => ({ rule: 'invoiced', detail })),
      ...off.map((detail): Violation => ({ rule: 'reserved', detail })),
    ];
  });
}

/** Returns billed lines without an invoiced quantity in crm. */
function unknownLines(orders: readonly OrderProgress[], billed: ReadonlyMap<string, string>): Violation[] {
  const known = new Set(orders.flatMap(({ lines }) => lines.map(({ line_id }) => line_id)));
  return [...billed].flatMap(([id, qty]): Violation[] =>
    known.has(id) ? [] : [{ rule: 'invoiced', detail: `line ${id}: 0 invoiced, ${qty} on its invoices` }],
  );
}

/** Compares once. */
async function compareOnce(context: ProofContext): Promise<Violation[]> {
  const { read } = context;
  const before = await read(ordersWithDrafts);
  const orders = await listOrders(context);
  const proposals = await listProposals(context);
  const reservations = await listReservations(context, orders);
  const counted = orders.flatMap(({ invoices }) => invoices.filter(({ cancelled }) => !cancelled));
  const found = await read(async (db) => ({
    after: await ordersWithDrafts(db),
    billed: quantities(
      await readBilledLines(
        db,
        counted.map(({ sales_invoice_id }) => sales_invoice_id),
      ),
    ),
    waiting: await readPendingInvoices(db, orders),
    invoices: await db.rows<{ id: string; proposal_id: string }>(sql`
      SELECT id, proposal_id FROM sales_invoices
      WHERE proposal_id IS NOT NULL AND (status <> 'cancelled' OR updated_at > now() - interval '1 minute')`),
  }));
  const made = new Set(found.invoices.map(({ id, proposal_id }) => `${proposal_id} ${id}`));
  const overdue = orders.filter(
    ({ sales_order_id: id, status }) =>
      !['confirmed', 'completed'].includes(status) && before.has(id) && found.after.has(id),
  );
  const lost = proposals.filter(({ proposal_id, invoice_id }) => !made.has(`${proposal_id} ${invoice_id}`));
  const late = found.waiting.filter(({ is_late }) => is_late);
  const waiting = new Set(found.waiting.map(({ sales_order_id }) => sales_order_id));
  return [
    ...compareLines(orders, found.billed, reservations, waiting),
    ...unknownLines(orders, found.billed),
    ...late.map(({ number }): Violation => ({ rule: 'counted', detail: number })),
    ...overdue.map(({ number, sales_order_id, status }): Violation => {
      return { rule: 'drafts', detail: `${number || sales_order_id} is ${status}` };
    }),
    ...lost.map(({ number, proposal_id }): Violation => ({ rule: 'proposals', detail: number || proposal_id })),
  ];
}

/**
 * Checks that orders and proposals match their invoices. The services are read one after the other, so a violation
 * counts only if a second check finds it, too. The caller must read regardless of visibility. No rule is checked if
 * the time ends before.
 */
export async function checkOrders(context: ProofContext): Promise<CheckResult[]> {
  try {
    return await compareOrders(context);
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    return Object.values(ORDER_RULES).map((name) => ({ name, holds: null, violations: [] }));
  }
}

async function compareOrders(context: ProofContext): Promise<CheckResult[]> {
  let found = await compareOnce(context);
  if (found.length > 0) {
    await pause(RETRY_MS);
    const again = new Set((await compareOnce(context)).map(({ rule, detail }) => `${rule} ${detail}`));
    found = found.filter(({ rule, detail }) => again.has(`${rule} ${detail}`));
  }
  return Object.entries(ORDER_RULES).map(([rule, name]) => {
    const violations = found.filter((one) => one.rule === rule).map(({ detail }) => detail);
    return { name, holds: violations.length === 0, violations: violations.slice(0, MAX_VIOLATIONS) };
  });
}
