/** Fields shared by quotes, orders and proposals: lines and totals. */
import { Currency, Discount, Id, input, LongText, MoneyOut, QtyOut, version } from '@suite/chassis/fields';
import {
  priceFields,
  documentDiscount,
  lineInput,
  linesInput,
  productFields,
  totalFields,
  TaxSnapshot,
} from '@suite/document-lines';
import { LINES_TOO_LONG, linesFit } from '@suite/pdf';
import { z } from 'zod';

const Amount = MoneyOut.meta({ example: '100.00' });

/** Tax as inventory returned it when the line was written, with its amount. */
export const LineTax = TaxSnapshot.extend({ base: Amount, amount: MoneyOut }).meta({ id: 'SalesLineTax' });

const line = {
  ...productFields,
  unit_id: Id.nullable(),
  ...priceFields,
  tax_ids: z.array(Id),
  taxes: z.array(LineTax),
  net: Amount,
  tax: Amount,
  total: MoneyOut,
};

/** Line of a quote or a proposal. Shows the product and its taxes as of the time of writing. */
export const SalesLine = z.object(line).meta({ id: 'SalesLine' });

/** Order line with its progress. */
export const OrderLine = z
  .object({ ...line, qty_delivered: QtyOut, qty_invoiced: QtyOut, reserved_qty: QtyOut })
  .meta({ id: 'SalesOrderLine' });

/** Lines of a request body. An update replaces all lines. */
export const Lines = linesInput(lineInput('SalesLineInput', 'sale price')).refine(linesFit, LINES_TOO_LONG);

/** Totals of a document. Every total is exactly the sum of its lines. */
export const totals = {
  discount: documentDiscount,
  ...totalFields,
  discount_total: MoneyOut.describe('Total discount of the lines and the document.'),
};

/** Request fields for the pricing of a document. */
export const pricing = {
  currency: Currency.optional().describe('Defaults to the currency of the customer.'),
  discount: Discount.nullable().optional(),
};

/** Addresses of a document, in responses and in requests. */
export const addresses = { billing_address: z.string().nullable(), shipping_address: z.string().nullable() };
const AddressInput = LongText.max(1_000).nullable().optional().describe('Defaults to the address of the customer.');
export const addressInputs = { billing_address: AddressInput, shipping_address: AddressInput };

/** Request body of a document action: the version that the caller has read. */
export const DocumentAction = input({ version });
