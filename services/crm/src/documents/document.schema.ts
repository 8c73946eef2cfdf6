/** Fields that quotes, orders and proposals share: lines and totals. */
import { Currency, Discount, Id, input, LongText, MoneyOut, QtyOut, version } from '@suite/chassis';
import {
  agreedFields,
  documentDiscount,
  lineInput,
  linesInput,
  productFields,
  sums,
  TaxSnapshot,
} from '@suite/document-lines';
import { z } from 'zod';

const Amount = MoneyOut.meta({ example: '100.00' });

/** A tax as inventory had it when the line was written, with its amount. */
export const LineTax = TaxSnapshot.extend({ base: Amount, amount: MoneyOut }).meta({ id: 'SalesLineTax' });

const line = {
  ...productFields,
  unit_id: Id.nullable(),
  ...agreedFields,
  tax_ids: z.array(Id),
  taxes: z.array(LineTax),
  net: Amount,
  tax: Amount,
  total: MoneyOut,
};

/** A line of a quote or a proposal. The product and its taxes are shown as they were when the line was written. */
export const SalesLine = z.object(line).meta({ id: 'SalesLine' });

/** A line of an order, with how far it has come. */
export const OrderLine = z
  .object({ ...line, qty_delivered: QtyOut, qty_invoiced: QtyOut, reserved_qty: QtyOut })
  .meta({ id: 'SalesOrderLine' });

/** The lines of a body. An update replaces all lines. */
export const Lines = linesInput(lineInput('SalesLineInput', 'sale price'));

/** The totals of a document. Every figure is exactly the sum of its lines. */
export const totals = {
  discount: documentDiscount,
  ...sums,
  discount_total: MoneyOut.describe('Total discount of the lines and the document.'),
};

/** The fields of a body that say how a document is priced. */
export const pricing = {
  currency: Currency.optional().describe('Defaults to the currency of the customer.'),
  discount: Discount.nullable().optional(),
};

/** The addresses of a document, and how a body gives them. */
export const addresses = { billing_address: z.string().nullable(), shipping_address: z.string().nullable() };
const AddressInput = LongText.max(1_000).nullable().optional().describe('Defaults to the address of the customer.');
export const addressInputs = { billing_address: AddressInput, shipping_address: AddressInput };

/** The body of an action on a document: the version that the caller has seen. */
export const Seen = input({ version });
