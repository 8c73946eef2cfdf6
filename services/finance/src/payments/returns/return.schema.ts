import {
  BusinessDay,
  choice,
  Day,
  Id,
  foreignId,
  inner,
  input,
  BaseMoneyOut,
  MoneyOut,
  LongText,
  Qty,
  QtyOut,
  record,
  refTo,
  Timestamp,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { LINES_MAX } from '@suite/document-lines';
import { costField } from '@suite/document-lines';
import { z } from 'zod';
import { searchedParty } from '../../parties/party-kind.ts';
import { figures, Summary, pending_effects, totals } from '../../invoices/documents/document.schema.ts';
import { effects } from '../../invoices/invoices/invoice.view.ts';
import { SIDES } from '../../invoices/documents/side.ts';

const Disposition = choice('restock', 'scrap');
const Reason = choice('defective', 'wrong_item', 'damaged', 'not_needed', 'other');

const ReturnLine = z
  .object({
    id: Id,
    position: z.int(),
    invoice_line_id: Id,
    product_id: Id.nullable(),
    product_name: z.string().nullable(),
    description: z.string().nullable(),
    qty: QtyOut,
    unit_price: MoneyOut,
    disposition: Disposition,
    ...figures,
    cost: costField(BaseMoneyOut.nullable().describe('Cost of the goods in base currency. `null` until they move.')),
  })
  .meta({ id: 'ReturnLine' });

const shown = {
  number: z.string().nullable().describe('`null` before approval.'),
  status: choice('draft', 'approved', 'completed', 'cancelled'),
  invoice_id: Id,
  return_date: Day,
  reason: Reason,
  notes: inner(z.string().nullable().describe('Internal notes. Customers and vendors do not see them.')),
  warehouse_id: inner(Id.nullable().describe('ID of the warehouse of the return. `null` without goods.')),
  ...totals,
  journal_id: inner(Id.nullable()),
  approved_by: inner(Id.nullable()),
  approved_at: Timestamp.nullable(),
  completed_by: inner(Id.nullable()),
  completed_at: Timestamp.nullable(),
  pending_effects,
  allowed_actions: Actions(SIDES.sales.return_states),
  lines: z.array(ReturnLine).optional(),
};

/** Sales return: goods that a customer returns. */
export const SalesReturn = record({
  ...shown,
  customer_id: Id,
  credit_note_id: Id.nullable(),
  customer: Summary.nullable().optional(),
}).meta({ id: 'SalesReturn' });

/** Purchase return: goods that we return to a vendor. */
export const PurchaseReturn = record({
  ...shown,
  allowed_actions: Actions(SIDES.purchase.return_states),
  vendor_id: Id,
  debit_note_id: Id.nullable(),
  vendor: Summary.nullable().optional(),
}).meta({ id: 'PurchaseReturn' });

const done = {
  effects: effects
    .nullable()
    .describe('Effects of the completion, or the expected effects in a dry run. `null` before completion.'),
};
export const CompletedSalesReturn = SalesReturn.extend(done).meta({ id: 'CompletedSalesReturn' });
export const CompletedPurchaseReturn = PurchaseReturn.extend(done).meta({ id: 'CompletedPurchaseReturn' });

const filter = [
  ...(['number', 'status', 'invoice_id', 'return_date', 'reason', 'currency', 'total'] as const),
  ...(['created_by', 'created_at', 'updated_at'] as const),
];
const sort = ['created_at', 'updated_at', 'return_date', 'number', 'total'] as const;

export const SalesReturnFilter = list(SalesReturn, {
  filter: [...filter, 'customer_id'],
  sort: [...sort],
  search: { texts: ['number'], through: searchedParty.customer },
  expand: ['lines', 'customer'],
});
export const PurchaseReturnFilter = list(PurchaseReturn, {
  filter: [...filter, 'vendor_id'],
  sort: [...sort],
  search: { texts: ['number'], through: searchedParty.vendor },
  expand: ['lines', 'vendor'],
});

const line = z.strictObject({ invoice_line_id: refTo('invoice_lines'), qty: Qty, disposition: Disposition.optional() });

const returnOf = (invoices: 'sales_invoices' | 'purchase_invoices') =>
  input({
    invoice_id: refTo(invoices),
    return_date: BusinessDay,
    reason: Reason,
    notes: LongText.nullable().optional(),
    warehouse_id: foreignId('inventory.warehouse')
      .nullable()
      .optional()
      .describe('ID of the warehouse of the return. Defaults to the warehouse of the invoice.'),
    lines: z.array(line).min(1).max(LINES_MAX),
  });

export const ReturnInputs = { sales: returnOf('sales_invoices'), purchase: returnOf('purchase_invoices') };
export type ReturnInput = z.output<(typeof ReturnInputs)['sales']>;
