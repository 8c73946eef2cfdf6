/** Invariants of inventory's database, as SQL that selects the rows that violate them. */
import type { AuditCheck } from '@suite/auditor';

const stock: AuditCheck[] = [
  {
    name: 'stock levels are the sum of their movements, in quantity and in value',
    sql: `
      SELECT coalesce(level.workspace_id, moved.workspace_id) AS workspace_id,
        coalesce(level.product_id, moved.product_id) AS product_id,
        coalesce(level.warehouse_id, moved.warehouse_id) AS warehouse_id,
        level.on_hand, moved.qty, level.value, moved.value AS moved_value
      FROM stock_levels AS level
      FULL JOIN (
        SELECT workspace_id, product_id, warehouse_id, sum(qty) AS qty, sum(value) AS value
        FROM stock_movements GROUP BY 1, 2, 3) AS moved
        ON moved.workspace_id = level.workspace_id AND moved.product_id = level.product_id
          AND moved.warehouse_id = level.warehouse_id
      WHERE level.id IS NULL OR level.on_hand <> coalesce(moved.qty, 0) OR level.value <> coalesce(moved.value, 0)`,
  },
  {
    name: 'reserved stock is on hand, unless the product allows negative stock',
    sql: `
      SELECT level.workspace_id, level.id, level.on_hand, level.reserved
      FROM stock_levels AS level JOIN products AS product
        ON product.workspace_id = level.workspace_id AND product.id = level.product_id
      WHERE level.reserved < 0 OR level.allow_negative <> product.allow_negative
        OR (NOT product.allow_negative AND level.on_hand < level.reserved)`,
  },
  {
    name: 'reserved quantities match the active reservations',
    sql: `
      SELECT level.workspace_id, level.id, level.reserved, held.qty
      FROM stock_levels AS level
      LEFT JOIN (
        SELECT workspace_id, product_id, warehouse_id, sum(qty - consumed) AS qty
        FROM reservations WHERE status = 'active' GROUP BY 1, 2, 3) AS held
        ON held.workspace_id = level.workspace_id AND held.product_id = level.product_id
          AND held.warehouse_id = level.warehouse_id
      WHERE level.reserved <> coalesce(held.qty, 0)`,
  },
  {
    name: 'zero stock has zero value, and value has the sign of the quantity',
    sql: `
      SELECT workspace_id, id, on_hand, value FROM stock_levels
      WHERE (on_hand = 0 AND value <> 0) OR sign(on_hand) * sign(value) < 0`,
  },
  {
    name: 'services and products whose stock is not tracked have no movements',
    sql: `
      SELECT movement.workspace_id, movement.id FROM stock_movements AS movement JOIN products AS product
        ON product.workspace_id = movement.workspace_id AND product.id = movement.product_id
      WHERE NOT product.track_stock`,
  },
  {
    name: 'an adjustment is worth the value of its movement',
    sql: `
      SELECT adjustment.workspace_id, adjustment.id, adjustment.value, movement.value AS moved_value
      FROM stock_adjustments AS adjustment LEFT JOIN stock_movements AS movement
        ON movement.workspace_id = adjustment.workspace_id
          AND movement.idempotency_key = 'adjustment:' || adjustment.id || ':0'
      WHERE movement.id IS NULL OR movement.value <> adjustment.value OR movement.qty <> adjustment.qty`,
  },
  {
    name: 'a workspace with warehouses has one default warehouse, which is active',
    sql: `
      SELECT workspace_id, count(*) FILTER (WHERE is_default AND active) AS defaults
      FROM warehouses GROUP BY workspace_id HAVING count(*) FILTER (WHERE is_default AND active) <> 1`,
  },
];

const transfers: AuditCheck[] = [
  {
    name: 'a transfer takes as much from one warehouse as it adds to the other, and nothing after its reversal',
    sql: `
      SELECT transfer.workspace_id, transfer.id, transfer.number, movement.product_id
      FROM transfers AS transfer JOIN stock_movements AS movement
        ON movement.workspace_id = transfer.workspace_id AND movement.source_type = 'transfer'
          AND movement.source_id = transfer.id::text AND movement.qty <> 0
      GROUP BY transfer.workspace_id, transfer.id, transfer.number, transfer.status, movement.product_id
      HAVING sum(movement.qty) <> 0 OR sum(movement.value) <> 0
        OR (transfer.status = 'reversed'
          AND sum(movement.qty) FILTER (WHERE movement.warehouse_id = transfer.to_warehouse_id) <> 0)`,
  },
  {
    name: 'every line of a transfer has its movements',
    sql: `
      SELECT line.workspace_id, line.id FROM transfer_lines AS line LEFT JOIN stock_movements AS movement
        ON movement.workspace_id = line.workspace_id AND movement.source_type = 'transfer'
          AND movement.source_id = line.transfer_id::text AND movement.reason = 'transfer_out'
          AND movement.source_line = line.position::text AND movement.qty = -line.qty
          AND movement.value = -line.value
      WHERE movement.id IS NULL`,
  },
];

/** Checks that the numbers of a document kind are 1..n in each year, and that the counter is n. */
const dense = (type: string, table: string): AuditCheck => ({
  name: `numbers of ${table} have no gap`,
  sql: `
    SELECT workspace_id, year, numbers.count, numbers.max, counter.last
    FROM (
      SELECT workspace_id, split_part(number, '-', 2)::integer AS year, count(*),
        max(split_part(number, '-', 3)::integer)
      FROM ${table} GROUP BY 1, 2) AS numbers
    FULL JOIN (SELECT workspace_id, year, last FROM number_counters WHERE type = '${type}') AS counter
      USING (workspace_id, year)
    WHERE numbers.count IS DISTINCT FROM numbers.max OR numbers.max IS DISTINCT FROM counter.last`,
});

const tills: AuditCheck[] = [
  {
    name: 'a POS order is the sum of its lines and of its payments',
    sql: `
      SELECT sale.workspace_id, sale.id, sale.number FROM pos_orders AS sale
      JOIN (
        SELECT workspace_id, pos_order_id, sum(gross) AS gross, sum(discount + header_discount) AS discount,
          sum(net) AS net, sum(tax) AS tax, sum(total) AS total, sum(cost) AS cost
        FROM pos_order_lines GROUP BY 1, 2) AS line
        ON line.workspace_id = sale.workspace_id AND line.pos_order_id = sale.id
      LEFT JOIN (
        SELECT workspace_id, pos_order_id, sum(amount) AS amount FROM pos_payments GROUP BY 1, 2) AS payment
        ON payment.workspace_id = sale.workspace_id AND payment.pos_order_id = sale.id
      WHERE (sale.subtotal, sale.discount_total, sale.net_total, sale.tax_total, sale.total, sale.cost, sale.paid)
        <> (line.gross, line.discount, line.net, line.tax, line.total, line.cost, coalesce(payment.amount, 0))`,
  },
  {
    name: 'POS order cost matches its stock movements, with only scrap remaining after a full refund',
    sql: `
      SELECT sale.workspace_id, sale.id, sale.number, sale.cost, moved.value FROM pos_orders AS sale
      LEFT JOIN (
        SELECT workspace_id, source_id, sum(value) AS value FROM stock_movements
        WHERE source_type = 'pos_order' AND qty <> 0 GROUP BY 1, 2) AS moved
        ON moved.workspace_id = sale.workspace_id AND moved.source_id = sale.id::text
      LEFT JOIN (
        SELECT workspace_id, pos_order_id, sum(restocked_cost) AS restocked, sum(cost - restocked_cost) AS scrapped
        FROM pos_refunds GROUP BY 1, 2) AS back
        ON back.workspace_id = sale.workspace_id AND back.pos_order_id = sale.id
      WHERE coalesce(moved.value, 0) <> CASE sale.status
        WHEN 'refunded' THEN -coalesce(back.scrapped, 0) ELSE coalesce(back.restocked, 0) - sale.cost END`,
  },
  {
    name: 'nothing is left to refund in a refunded POS order only, and refunds never exceed the sale',
    sql: `
      SELECT sale.workspace_id, sale.id, sale.number, sale.status FROM pos_orders AS sale
      JOIN (
        SELECT line.workspace_id, line.pos_order_id, bool_or(coalesce(part.qty, 0) > line.qty) AS over,
          bool_and(coalesce(part.qty, 0) = line.qty) AS gone, bool_or(part.qty > 0) AS begun
        FROM pos_order_lines AS line LEFT JOIN (
          SELECT workspace_id, pos_order_line_id, sum(qty) AS qty FROM pos_refund_lines GROUP BY 1, 2) AS part
          ON part.workspace_id = line.workspace_id AND part.pos_order_line_id = line.id
        GROUP BY 1, 2) AS line
        ON line.workspace_id = sale.workspace_id AND line.pos_order_id = sale.id
      WHERE line.over OR sale.status <>
        CASE WHEN line.gone THEN 'refunded' WHEN line.begun THEN 'partially_refunded' ELSE 'paid' END`,
  },
  {
    name: 'refunds of a POS order are numbered without a gap and add up to the refunded total',
    sql: `
      SELECT sale.workspace_id, sale.id, sale.number, sale.refunded_total, back.total FROM pos_orders AS sale
      LEFT JOIN (
        SELECT workspace_id, pos_order_id, count(*) AS count, max(position) AS last, sum(total) AS total,
          sum(tax_total) AS tax, sum(cost) AS cost
        FROM pos_refunds GROUP BY 1, 2) AS back
        ON back.workspace_id = sale.workspace_id AND back.pos_order_id = sale.id
      WHERE sale.refunded_total <> coalesce(back.total, 0) OR back.last <> back.count
        OR (sale.status = 'refunded' AND (back.total, back.tax, back.cost) <> (sale.total, sale.tax_total, sale.cost))`,
  },
  {
    name: 'a refund is the sum of its lines and of its payments',
    sql: `
      SELECT refund.workspace_id, refund.id, refund.number FROM pos_refunds AS refund
      LEFT JOIN (
        SELECT workspace_id, pos_refund_id, sum(net) AS net, sum(tax) AS tax, sum(cost) AS cost,
          sum(cost) FILTER (WHERE restock) AS restocked
        FROM pos_refund_lines GROUP BY 1, 2) AS line
        ON line.workspace_id = refund.workspace_id AND line.pos_refund_id = refund.id
      WHERE (refund.net_total, refund.tax_total, refund.cost, refund.restocked_cost)
          IS DISTINCT FROM (line.net, line.tax, line.cost, coalesce(line.restocked, 0))
        OR refund.total <> (
          SELECT coalesce(sum((payment ->> 'amount')::numeric), 0) FROM jsonb_array_elements(refund.payments) AS payment)`,
  },
];

const requests: AuditCheck[] = [
  {
    name: 'what a request was answered has moved, and has moved back when it was undone',
    sql: `
      SELECT request.workspace_id, request.kind, request.key, line.at
      FROM (
        SELECT *, CASE method WHEN 'IssueStock' THEN 'issue' ELSE 'receipt' END AS kind FROM rpc_keys
        WHERE method IN ('IssueStock', 'ReceiveStock')) AS request
      CROSS JOIN LATERAL jsonb_array_elements(coalesce(request.answer -> 'lines', '[]')) WITH ORDINALITY AS line (content, at)
      LEFT JOIN stock_movements AS movement ON movement.workspace_id = request.workspace_id
        AND movement.idempotency_key = request.kind || ':' || request.key || ':' || (line.at - 1)
      LEFT JOIN stock_movements AS undone ON undone.workspace_id = request.workspace_id
        AND undone.idempotency_key = 'reversal:' || request.kind || ':' || request.key || ':' || (line.at - 1)
      WHERE abs(coalesce(movement.value, 0)) <> (line.content ->> 'cost')::numeric
        OR (movement.id IS NOT NULL AND request.undone_at IS NOT NULL) <> (undone.id IS NOT NULL)
        OR movement.value + undone.value <> 0 OR movement.qty + undone.qty <> 0`,
  },
];

/** All rules of inventory, to check on one snapshot of its database. */
export const checks: readonly AuditCheck[] = [
  ...stock,
  ...transfers,
  dense('transfer', 'transfers'),
  dense('pos_order', 'pos_orders'),
  ...tills,
  ...requests,
];
