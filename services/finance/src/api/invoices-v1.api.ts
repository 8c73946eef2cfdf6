/** Invoices for integrations: the same records with stable fields. New invoices are drafts. */
import { idOf } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { paginate, readOne, type View } from '@suite/chassis/lists';
import { can, ok, page, upserted } from '@suite/chassis/operations';
import { invoiceView } from '../invoices/invoices/invoice.view.ts';
import { fetchInvoiceReferences } from '../invoices/documents/lines.ts';
import { createSalesInvoice } from '../invoices/sales-invoices/sales-invoice.ts';
import { apiV1, type Db } from '../operations.ts';
import { assertSame, ExternalIdTaken, findByExternalId } from './external.ts';
import { V1Invoice, V1InvoiceFilter, V1InvoiceInput } from './v1.schema.ts';

const { query, command } = apiV1;

/** Returns the part of the invoice view that version 1 shows. */
function view(db: Db, caller: Caller): View {
  const { compute, expand } = invoiceView(db, 'sales', caller);
  return {
    table: 'sales_invoices',
    compute: { balance_due: compute!['balance_due']! },
    expand: { lines: expand!['lines']! },
  };
}

export const list = query('GET /api/v1/invoices', {
  summary: 'List invoices (version 1)',
  description:
    'Returns sales invoices with the stable fields of version 1. Filter by `external_id` to find an invoice of your own system.',
  access: can('sales_invoice.view'),
  query: V1InvoiceFilter,
  reply: page(V1Invoice),
  handle: ({ db, query, caller }) => paginate(db, query, view(db, caller)),
});

export const show = query('GET /api/v1/invoices/{id}', {
  summary: 'Get an invoice (version 1)',
  description: 'Returns a sales invoice with its lines and the stable fields of version 1.',
  access: can('sales_invoice.view'),
  params: { id: idOf('sales_invoices') },
  reply: ok(V1Invoice),
  handle: ({ db, caller, params }) => readOne(db, V1Invoice, params.id, view(db, caller)),
});

export const create = command('POST /api/v1/invoices', {
  summary: 'Create a draft invoice (version 1)',
  description:
    'Creates one draft per `external_id`. Repeating the request returns the existing draft with 200. A different body returns 409 `external_id_taken`. The ID of a cancelled invoice can be used again.',
  access: can('sales_invoice.create'),
  body: V1InvoiceInput,
  reply: upserted(V1Invoice),
  faults: [ExternalIdTaken],
  prepare: ({ rpc, body }) => fetchInvoiceReferences(rpc, 'sales', { lines: body.lines }),
  handle: async ({ body, prepared, ...context }) => {
    const { customer_id: party_id, reference, notes, external_id, ...rest } = body;
    const known = await findByExternalId(context, 'sales_invoices', external_id);
    const fields = { ...rest, ...prepared, party_id, columns: { reference, notes, external_id } };
    const id = known ?? (await createSalesInvoice(context, fields)).id;
    const record = await readOne(context.db, V1Invoice, id, view(context.db, context.caller));
    if (known) assertSame(body, record);
    return { created: known === undefined, record };
  },
});
