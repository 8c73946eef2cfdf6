/** Who writes. */
export interface Letterhead {
  name: string;
  /** Lines of it are separated by line breaks. */
  address: string;
  tax_number: string;
  /** What stands at the foot of every page: the bank account, the register. */
  footer: string;
  /** How amounts and days are written: `de-AT`. */
  locale: string;
  /** A PNG; empty for none, and then the name stands in its place. */
  logo: Uint8Array;
}

/** Who is written to. */
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
  qty: string;
  unit_name: string | null;
  unit_price: string;
  discount: { type: 'percent' | 'amount'; value: string } | null;
  taxes: readonly { name: string; rate: string; kind: 'percent' | 'fixed'; inclusive: boolean }[];
  net: string;
}

/** What a tax comes to over all lines. */
export interface TaxSum {
  name: string;
  rate: string;
  kind: 'percent' | 'fixed';
  base: string;
  amount: string;
}

/** An invoice, a quote and the like: what is said, in the order in which it is read. */
export interface Letter {
  /** `Invoice` */
  title: string;
  /** Null for what has none yet. */
  number: string | null;
  /** What stands across every page: `DRAFT`. */
  mark: string | null;
  from: Letterhead;
  to: Recipient;
  /** Facts beside the address, by their names; a day is written YYYY-MM-DD, and a fact that is null is left out. */
  facts: readonly (readonly [name: string, value: { day: string } | { text: string | null }])[];
  currency: string;
  lines: readonly LetterLine[];
  /** As the document stores them. */
  sums: { subtotal: string; discount_total: string; net_total: string; total: string };
  taxes: readonly TaxSum[];
  /** What follows the total: `Paid`, `Amount due`. The last one is the one that matters. */
  settlement: readonly (readonly [name: string, amount: string])[];
  /** What stands below: notes, terms. */
  texts: readonly (readonly [title: string, text: string | null])[];
}
