/**
 * Amounts of an invoice that is created from an order or proposal. Agreed lines are shares of the order or proposal.
 * Other lines are computed.
 */
import type { Discount } from '@suite/chassis/fields';
import { asValidationError, computeTotals, type DocumentLineAmounts, type TaxSnapshot } from '@suite/document-lines';
import { compare, isZero, portion, subtract, sum, sumLines } from '@suite/money';
import type { DraftLine } from '../documents/lines.ts';
import { afterBilling, isZeroQty, isWithin, partOf, type Remainder, smaller } from './agreed-part.rules.ts';

/** Draft line with a flag for each term that is as agreed. */
export interface LinkedLine extends DraftLine {
  terms?: { price: boolean; discount: boolean; taxes: boolean } | undefined;
}

/** Invoice to compute. */
interface AgreedInvoiceInput {
  currency: string;
  lines: readonly LinkedLine[];
  /** Parts that no other invoice bills, by agreed line ID. */
  remainders: ReadonlyMap<string, Remainder>;
  /** Discount of the order or proposal that the invoice shares, or a separate one. */
  discount: { agreed: Discount | null } | { own: Discount | null };
}

interface ComputedLine {
  line: DraftLine;
  figures: DocumentLineAmounts;
  /** True if the amounts are a share of the agreed line. */
  agreed: boolean;
  /** True if price, discounts and taxes are the agreed ones, even if the amounts are not a share. */
  agreed_terms: boolean;
}

/** A line that is computed and no share, and its part of the fixed discount of the order. */
interface ChangedLine {
  at: number;
  line: DraftLine;
  share: string;
  agreed_terms: boolean;
}

/** Checks that two discounts are the same. */
export const sameDiscount = (one: Discount | null, other: Discount | null): boolean =>
  one === other || (one?.type === other?.type && compare(one!.value, other!.value) === 0);

/** Returns the share of a quantity in a remaining amount. For the whole quantity or more, returns the whole amount. */
function shareOf(amount: string, qty: string, remainder: Remainder, currency: string): string {
  if (isZeroQty(remainder.qty)) return sum([], currency);
  if (!isWithin(qty, remainder)) return amount;
  return portion(amount, { whole: remainder.qty, before: '0', now: qty }, currency);
}

const asAmount = (value: string): Discount | null => (isZero(value) ? null : { type: 'amount', value });

/**
 * Returns the stored form of a line. A fixed discount is the share for its quantity, unless the line has its own
 * discount. The share is limited to the price of the line: with prices below a cent, rounded prices of other invoices
 * can leave more discount than price.
 */
function storedLine(line: LinkedLine, remainder: Remainder, share: string, currency: string): DraftLine {
  const { terms, ...plain } = line;
  const agreed = remainder.line.discount;
  if (!terms?.discount) return plain;
  if (agreed?.type !== 'amount') return { ...plain, discount: agreed };
  const { subtotal } = computeTotals([{ ...plain, discount: null, taxes: [] }], currency, null);
  return { ...plain, discount: asAmount(smaller(share, subtotal)) };
}

/** Bills the lines in sequence, so that two lines of one agreed line share its remainder. */
function billLines({ currency, lines, remainders, discount }: AgreedInvoiceInput) {
  const open = new Map(remainders);
  const header = 'agreed' in discount ? discount.agreed : null;
  const rows = new Map<number, ComputedLine>();
  const changed: ChangedLine[] = [];
  for (const [at, { terms, ...line }] of lines.entries()) {
    const remainder = line.source_id ? open.get(line.source_id) : undefined;
    if (!remainder) {
      changed.push({ at, line, share: sum([], currency), agreed_terms: false });
      continue;
    }
    const agreed_terms = Boolean(terms?.price && terms.discount && terms.taxes && 'agreed' in discount);
    const isShare = agreed_terms && remainder.intact && isWithin(line.qty, remainder);
    const own = shareOf(remainder.figures.discount, line.qty, remainder, currency);
    const draft = storedLine({ ...line, terms }, remainder, own, currency);
    const part = { source_id: line.source_id!, qty: line.qty, agreed_terms: true };
    const header_share = header?.type === 'amount' ? remainder.figures.header_discount : sum([], currency);
    const share = shareOf(header_share, line.qty, remainder, currency);
    if (isShare) {
      const figures = partOf(remainder, line.qty, currency);
      const shown = remainder.line.discount?.type === 'amount' ? asAmount(figures.discount) : draft.discount;
      rows.set(at, { line: { ...draft, discount: shown }, figures, agreed: true, agreed_terms });
      open.set(
        line.source_id!,
        afterBilling(remainder, { ...part, ...figures, line_discount: figures.discount }, currency),
      );
      continue;
    }
    changed.push({ at, line: draft, share, agreed_terms });
    const discountOfLine = draft.discount?.type === 'amount' ? draft.discount.value : own;
    const taken = { gross: sum([], currency), line_discount: discountOfLine, header_discount: share, taxes: [] };
    open.set(line.source_id!, { ...afterBilling(remainder, { ...part, ...taken }, currency), intact: false });
  }
  return { rows, changed };
}

/** Computes lines as a separate document, and inserts them at their positions. */
function computeRows(
  rows: Map<number, ComputedLine>,
  changedLines: readonly ChangedLine[],
  currency: string,
  discount: Discount | null,
): void {
  if (changedLines.length === 0) return;
  const { lines } = computeTotals(
    changedLines.map(({ line }) => line),
    currency,
    discount,
  );
  for (const [index, { at, line, agreed_terms }] of changedLines.entries())
    rows.set(at, { line, figures: lines[index]!, agreed: false, agreed_terms });
}

/** Returns the part of a fixed discount that does not exceed the lines. */
function limitDiscount(changedLines: readonly ChangedLine[], currency: string): Discount | null {
  const shares = sum(
    changedLines.map(({ share }) => share),
    currency,
  );
  if (isZero(shares)) return null;
  const { subtotal, discount_total } = computeTotals(
    changedLines.map(({ line }) => line),
    currency,
    null,
  );
  const cost = subtract(subtotal, discount_total, currency);
  return asAmount(smaller(shares, cost));
}

/**
 * Computes the amounts of an invoice that is created from an order or proposal. Lines on agreed terms are shares of the
 * agreed amounts: gross, discounts and taxes of all invoices add up to the order. Chosen: the taxes of such a share are
 * also shares. Computing them again over the invoice would leave rounding differences.
 * @throws a 422 that names the field
 */
export function agreedTotals(input: AgreedInvoiceInput) {
  const { currency, discount } = input;
  const { rows, changed } = billLines(input);
  if ('own' in discount || discount.agreed?.type !== 'amount') {
    computeRows(rows, changed, currency, 'own' in discount ? discount.own : discount.agreed);
  } else {
    const [linked, free] = [
      changed.filter(({ line }) => line.source_id),
      changed.filter(({ line }) => !line.source_id),
    ];
    computeRows(rows, linked, currency, limitDiscount(linked, currency));
    computeRows(rows, free, currency, null);
  }
  const ordered = input.lines.map((_, at) => rows.get(at)!);
  const { taxes: _, ...header } = asValidationError(
    () =>
      sumLines<TaxSnapshot>(
        ordered.map(({ figures }) => figures),
        currency,
      ),
    (field) => field.replace(/\.taxes.*$/, '.tax_ids'),
  );
  const shared = sum(
    ordered.map(({ figures }) => figures.header_discount),
    currency,
  );
  const shown =
    'own' in discount ? discount.own : discount.agreed?.type === 'amount' ? asAmount(shared) : discount.agreed;
  return { header, rows: ordered, discount: shown };
}
