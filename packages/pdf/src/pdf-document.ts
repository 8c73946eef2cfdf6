import type { PdfLabel } from './labels/en.ts';

/** The sender. */
export interface Letterhead {
  name: string;
  /** Postal address, with line breaks. */
  address: string;
  tax_number: string;
  /** Text at the bottom of each page, such as bank account and register number. */
  footer: string;
  /**
   * Language of the labels and format of amounts and dates, such as `de-AT`. The recipient's language takes precedence.
   */
  locale: string;
  /** Contact details. Empty for none. */
  email?: string;
  phone?: string;
  website?: string;
  /** PNG image. Empty for none, in which case the name is shown instead. */
  logo: Uint8Array;
}

/** The addressee. */
export interface PdfRecipient {
  name: string;
  company?: string | null;
  address?: string | null;
  tax_number?: string | null;
  /** ISO 3166 code of the country, whose name is printed below the address. */
  country?: string | null;
  /** BCP 47 tag of the recipient's PDF language. Defaults to the sender's language. */
  language?: string | null;
}

/** A name on a PDF: a label of the catalogues, or a text that a user has chosen. */
export type PdfWording = PdfLabel | { text: string };

/** A value on a PDF, formatted for the language of the PDF. A value of null is omitted. */
export type FactValue = { day: string } | { text: string | null } | { money: string } | { number: string };

/** A named value. */
export type PdfFact = readonly [name: PdfWording, value: FactValue];

/** A sold item, as its document stores it. Amounts and quantities are decimal strings. */
export interface PdfLine {
  product_name: string | null;
  description: string | null;
  sku?: string | null;
  /** Null if no line of the PDF has a quantity, as on a payslip. */
  qty: string | null;
  unit_name: string | null;
  unit_price: string | null;
  discount: { type: 'percent' | 'amount'; value: string } | null;
  taxes: readonly { name: string; rate: string; kind: 'percent' | 'fixed'; inclusive: boolean }[];
  /** Further values of the line, below its description. */
  facts?: readonly PdfFact[];
  /** Quantity × price less the line's own discount. The document discount is a row of the totals. */
  amount: string;
}

/** An entry of a statement of account. Amounts are decimal strings in the currency of the entry. */
export interface PdfEntry {
  date: string;
  description: string;
  currency: string;
  debit: string;
  credit: string;
  /** The balance of this currency after the entry. */
  balance: string;
}

/** The total of a tax over all lines. */
export interface TaxSum {
  name: string;
  rate: string;
  kind: 'percent' | 'fixed';
  base: string;
  amount: string;
}

/** Sums of a PDF, from top to bottom as a reader adds them up. */
export interface PdfSums {
  /** The amounts of the lines. */
  subtotal: string;
  /** The discount of the whole document. */
  discount: string;
  /** The subtotal less the discount. */
  price: string;
  /** Taxes added to the price. */
  added: readonly TaxSum[];
  total: string;
  /** The label of the total. Defaults to `total`. */
  total_name?: PdfLabel;
  /** Taxes included in the price. */
  included: readonly TaxSum[];
  /** The total without taxes. */
  net: string;
}

/** Payment by bank transfer. */
export interface PdfPayment {
  /** The account and the payment reference. */
  facts: readonly PdfFact[];
  /** Text of a QR code that banking apps read. Null for none. */
  code: string | null;
}

/** A printed document such as an invoice, quote or payslip, in reading order. */
export interface PdfDocument {
  title: PdfLabel;
  /** Null for a document without a number. */
  number: string | null;
  /** Watermark on each page. Null for none. */
  mark: PdfLabel | null;
  from: Letterhead;
  to: PdfRecipient;
  /** Details next to the address. */
  facts: readonly PdfFact[];
  currency: string;
  lines: readonly PdfLine[];
  /** Entries of a statement, instead of lines. */
  entries?: readonly PdfEntry[];
  /** Agreed discount of the whole document. */
  discount: PdfLine['discount'];
  /** Null for a statement, which has balances instead. */
  sums: PdfSums | null;
  /** True if the document states that no tax is charged if that is the case. Defaults to false. */
  states_tax?: boolean;
  /**
   * Rows below the total, such as `paid` and `amount_due`. The last one is emphasised. An amount in another currency
   * than the document names its currency.
   */
  settlement: readonly (readonly [name: PdfWording, amount: string, currency?: string])[];
  /** Below the totals: how to pay. Null for a document that is not payable. */
  payment?: PdfPayment | null;
  /** Texts below the totals: notes, terms, or a list of facts. */
  texts: readonly (readonly [title: PdfLabel, text: string | null | readonly PdfFact[]])[];
  /** True if the recipient can accept the document with a signature. Defaults to false. */
  acceptance?: boolean;
}
