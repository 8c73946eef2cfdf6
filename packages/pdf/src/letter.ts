import type { Label } from './labels/labels.ts';

/** The sender. */
export interface Letterhead {
  name: string;
  /** Lines of it are separated by line breaks. */
  address: string;
  tax_number: string;
  /** The text at the foot of every page: the bank account, the register. */
  footer: string;
  /** The language of the labels, and how amounts and days are written: `de-AT`. The recipient's language wins. */
  locale: string;
  /** Contact details; empty for none. */
  email?: string;
  phone?: string;
  website?: string;
  /** A PNG; empty for none, and then the name stands in its place. */
  logo: Uint8Array;
}

/** The addressee. */
export interface Recipient {
  name: string;
  company?: string | null;
  address?: string | null;
  tax_number?: string | null;
  /** ISO 3166 code of the country, printed below the address by its name. */
  country?: string | null;
  /** BCP 47 tag of the language in which the recipient reads PDFs. Defaults to the sender's. */
  language?: string | null;
}

/** A name on a PDF: a label of the catalogues, or a text that a user has chosen. */
export type Wording = Label | { text: string };

/** A value on a PDF, which is written as the language of the PDF writes it. A fact whose value is null is left out. */
export type FactValue = { day: string } | { text: string | null } | { money: string } | { number: string };

/** A named value. */
export type Fact = readonly [name: Wording, value: FactValue];

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
  /** Further values of the line, below its description. */
  facts?: readonly Fact[];
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
  /** The label of the total. Defaults to `total`. */
  total_name?: Label;
  /** The taxes that the price includes. */
  included: readonly TaxSum[];
  /** The total without any tax. */
  net: string;
}

/** An invoice, a quote, a payslip or the like, in reading order. */
export interface Letter {
  title: Label;
  /** Null for a document without a number. */
  number: string | null;
  /** The watermark of every page. */
  mark: Label | null;
  from: Letterhead;
  to: Recipient;
  /** Facts next to the address. */
  facts: readonly Fact[];
  currency: string;
  lines: readonly LetterLine[];
  /** The discount of the whole document, as agreed. */
  discount: LetterLine['discount'];
  sums: LetterSums;
  /** Whether the document states that no tax is charged if that is the case. Defaults to false. */
  states_tax?: boolean;
  /** The lines below the total: `paid`, `amount_due`. The last one is emphasized. */
  settlement: readonly (readonly [name: Wording, amount: string])[];
  /** The texts below the sums: notes, terms, or a list of facts. */
  texts: readonly (readonly [title: Label, text: string | null | readonly Fact[]])[];
  /** Whether the recipient can accept the document with a signature. Defaults to false. */
  acceptance?: boolean;
}
