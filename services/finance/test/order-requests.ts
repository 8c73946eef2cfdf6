/** Orders of crm, as requests that finance receives. */
import { randomUUID } from 'node:crypto';
import type { CreateDraftInvoiceRequest } from '@suite/proto/finance/v1/finance';
import type { tradingSteps } from './trade.ts';

type RequestLine = Partial<CreateDraftInvoiceRequest['lines'][number]>;

/** Builds a line of free text. */
export const text = (description: string, unit_price: string, qty = '1'): RequestLine => ({
  description,
  unit_price,
  qty,
});

/** Finance method that invoices orders. */
interface DraftInvoiceClient {
  createDraftInvoice(request: CreateDraftInvoiceRequest): Promise<{ sales_invoice_id: string }>;
}

/**
 * Returns a function that creates orders of a new customer, each with the requests that invoice it on 10 March 2026. A
 * line defaults to one unit at 1 without tax.
 */
export function orderFactory(finance: DraftInvoiceClient, trade: Pick<ReturnType<typeof tradingSteps>, 'customer'>) {
  async function order(lines: RequestLine[], more: Partial<CreateDraftInvoiceRequest> = {}) {
    const { id: customer_id } = await trade.customer();
    const sales_order_id = randomUUID();
    let sequence = 0;
    const source_ids = lines.map(() => randomUUID());
    const request = (): CreateDraftInvoiceRequest => ({
      idempotency_key: `${sales_order_id}:${(sequence += 1)}`,
      customer_id,
      invoice_date: '2026-03-10',
      currency: '',
      warehouse_id: '',
      discount: undefined,
      reference: '',
      notes: '',
      proposal_id: '',
      sales_order_id,
      rate: '',
      sequence,
      dry_run: false,
      lines: lines.map((line, at) => ({
        product_id: '',
        description: '',
        qty: '1',
        unit_price: '1',
        discount: undefined,
        taxes: [],
        source: { type: 'sales_order', id: source_ids[at]! },
        unit_name: '',
        ...line,
      })),
      ...more,
    });
    const convert = async () => (await finance.createDraftInvoice(request())).sales_invoice_id;
    return { sales_order_id, source_ids, request, convert };
  }
  return order;
}
