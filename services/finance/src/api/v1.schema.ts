/** Frozen schemas of version 1. Fields can be added, but never changed or removed. */
import {
  choice,
  Currency,
  Day,
  Email,
  Id,
  input,
  ShortText,
  MoneyOut,
  Name,
  LongText,
  Phone,
  refTo,
  Timestamp,
  version,
  inner,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { documentDiscount } from '@suite/document-lines';
import { z } from 'zod';
import { searchedParty } from '../parties/party-kind.ts';
import { invoiceFacts, InvoiceLine } from '../invoices/documents/document.schema.ts';
import { v1CustomerActions } from './v1.rules.ts';

const Metadata = z
  .record(z.string().min(1).max(40), z.string().max(500))
  .refine((pairs) => Object.keys(pairs).length <= 50, 'At most 50 entries.');

export const V1Customer = z
  .object({
    id: Id,
    external_id: z.string().nullable().describe('ID of the record in your own system.'),
    name: z.string(),
    company: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    tax_number: z.string().nullable(),
    billing_address: z.string().nullable(),
    shipping_address: z.string().nullable(),
    currency: z.string(),
    payment_terms_days: z.int(),
    metadata: z.record(z.string(), z.string()),
    active: z.boolean(),
    allowed_actions: Actions(v1CustomerActions),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: z.int(),
  })
  .meta({ id: 'V1Customer' });

export const V1CustomerFilter = list(V1Customer, {
  filter: ['external_id', 'email', 'name', 'active', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'name'],
  search: true,
});

const Text = ShortText().min(1).nullable();
const details = z
  .object({
    company: Text,
    email: Email.nullable(),
    phone: Phone.nullable(),
    tax_number: ShortText(50).min(1).nullable(),
    billing_address: LongText.nullable(),
    shipping_address: LongText.nullable(),
    currency: Currency,
    payment_terms_days: z.int().min(0).max(365),
    metadata: Metadata,
  })
  .partial().shape;

export const V1CustomerInput = input({ name: Name, external_id: Text.optional(), ...details });
export const V1CustomerChanges = input({
  name: Name,
  external_id: Text.optional(),
  ...details,
  active: z.boolean().optional(),
  version,
});

export const V1Invoice = z
  .object({
    id: Id,
    external_id: inner(z.string().nullable().describe("Identifier of the invoice in the caller's system.")),
    number: z.string().nullable(),
    status: choice('draft', 'posted', 'partially_paid', 'paid', 'credited', 'cancelled'),
    customer_id: Id,
    invoice_date: Day,
    due_date: Day,
    currency: z.string(),
    rate: z.string().describe('Exchange rate to the base currency, fixed at posting.'),
    discount: documentDiscount,
    net_total: MoneyOut,
    tax_total: MoneyOut,
    total: MoneyOut,
    balance_due: MoneyOut,
    reference: z.string().nullable(),
    notes: z.string().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: z.int(),
    lines: z.array(InvoiceLine).optional(),
  })
  .meta({ id: 'V1Invoice' });

export const V1InvoiceFilter = list(V1Invoice, {
  filter: ['external_id', 'number', 'status', 'customer_id', 'invoice_date', 'due_date', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'invoice_date'],
  search: { texts: ['number', 'reference'], through: searchedParty.customer },
  expand: ['lines'],
});

const { invoice_date, lines, currency, rate, reference, notes, discount } = invoiceFacts;
const optional = z.object({ currency, rate, reference, notes, discount, external_id: Text }).partial().shape;

export const V1InvoiceInput = input({ customer_id: refTo('customers'), invoice_date, lines, ...optional });
