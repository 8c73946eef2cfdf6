/** The sender. */
export interface Letterhead {
  name: string;
  /** Lines of it are separated by line breaks. */
  address: string;
  tax_number: string;
  /** The text at the foot of every page: the bank account, the register. */
  footer: string;
  /** How amounts and days are written: `de-AT`. */
  locale: string;
  /** A PNG; empty for none, and then the name stands in its place. */
  logo: Uint8Array;
}

/** The addressee. */
export interface Recipient {
  name: string;
  company?: string | null;
  address?: string | null;
  tax_number?: string | null;
}

/** Something that is sold, as its document keeps and shows it. Amounts and quantities are decimal strings. */
export interface LetterLine {
  product_name: string | null;
  description: string | null;
  sku?: string | null;
  /** Null in a letter of which no line has one, as on a payslip. */
  qty: string | null;
  unit_name: string | null;
  unit_price: string | null;
  discount: { type: 'percent' | 'amount'; value: string } | null;
  taxes: readonly { name: string; rate: string; kind: 'percent' | 'fixed'; inclusive: boolean }[];
  /** Quantity × price less the line's own discount: what the document is discounted by is a line of the sums. */
  amount: string;
}

/** The total of a tax over all lines. */
export interface TaxSum {
  name: string;
  rate: string;
  kind: 'percent' | 'fixed';
  base: string;
  amount: string;
}

/** The sums of a letter, from top to bottom as a reader adds them up. */
export interface LetterSums {
  /** The amounts of the lines. */
  subtotal: string;
  /** The discount of the whole document. */
  discount: string;
  /** The subtotal less the discount. */
  price: string;
  /** The taxes that come on top of the price. */
  added: readonly TaxSum[];
  total: string;
  /** `Gross`; `Total`, if nothing else is said. */
  total_name?: string;
  /** The taxes that the price includes. */
  included: readonly TaxSum[];
  /** The total without any tax. */
  net: string;
}

/** An invoice, a quote, a payslip and the like: what is said, in the order in which it is read. */
export interface Letter {
  /** `Invoice` */
  title: string;
  /** Null for what has none yet. */
  number: string | null;
  /** The watermark of every page: `DRAFT`. */
  mark: string | null;
  from: Letterhead;
  to: Recipient;
  /** Facts beside the address, by their names; a day is written YYYY-MM-DD, and a fact that is null is left out. */
  facts: readonly (readonly [name: string, value: { day: string } | { text: string | null }])[];
  currency: string;
  lines: readonly LetterLine[];
  /** The discount of the whole document, as it was agreed. */
  discount: LetterLine['discount'];
  sums: LetterSums;
  /** The lines below the total: `Paid`, `Amount due`. The last one is emphasized. */
  settlement: readonly (readonly [name: string, amount: string])[];
  /** The texts below the sums: notes, terms. */
  texts: readonly (readonly [title: string, text: string | null])[];
}
