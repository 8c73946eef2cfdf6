/** Draft invoice that is requested from finance when time is billed. */
import { invalid } from '@suite/chassis/faults';
import { taxSnapshot } from '@suite/document-lines';
import type { Rpc } from '../../operations.ts';
import type { BilledLine } from './billing.rules.ts';
import type { BillingInput } from './billing.schema.ts';
import type { DraftRequest } from './draft-request.ts';

/** Project to bill. */
export interface BilledProject {
  id: string;
  name: string;
  currency: string;
  customer_id: string;
}

/** Requests the given taxes from inventory. @throws a 422 if one is unknown or archived */
export async function requestTaxes(rpc: Rpc, tax_ids: readonly string[]) {
  if (tax_ids.length === 0) return [];
  const { taxes } = await rpc.inventory.batchGetTaxes({ tax_ids: [...tax_ids] });
  const known = new Map(taxes.map((tax) => [tax.tax_id, tax]));
  return tax_ids.map((id, at) => {
    const tax = known.get(id);
    if (!tax?.active) throw invalid(`taxes.${at}`, 'Tax not found.');
    const { id: tax_id, ...snapshot } = taxSnapshot(tax);
    return Object.assign(snapshot, { tax_id });
  });
}

/** Builds the draft of billed lines. */
export const buildDraft = (
  { project, lines }: { project: BilledProject; lines: readonly BilledLine[] },
  {
    id,
    taxes,
    asked: input,
    day,
  }: { id: string; taxes: DraftRequest['lines'][number]['taxes']; asked: BillingInput; day: string },
): DraftRequest => ({
  customer_id: project.customer_id,
  invoice_date: input.invoice_date ?? day,
  currency: project.currency,
  warehouse_id: '',
  reference: project.name.slice(0, 200),
  notes: input.description ?? '',
  proposal_id: '',
  sales_order_id: '',
  rate: input.rate ?? '',
  sequence: 0,
  dry_run: false,
  discount: undefined,
  lines: lines.map(({ label, qty, rate }) => ({
    product_id: '',
    description: label.slice(0, 2_000),
    unit_name: 'h',
    qty,
    unit_price: rate,
    discount: undefined,
    taxes,
    source: { type: 'time', id },
  })),
});
