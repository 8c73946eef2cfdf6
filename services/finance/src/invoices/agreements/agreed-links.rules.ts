/** Links between the lines of a draft and the agreed lines that they bill: the named line, or the obvious one. */
import { invalid } from '@suite/chassis/faults';
import type { Discount } from '@suite/chassis/fields';
import { compare } from '@suite/money';
import type { DraftLine } from '../documents/lines.ts';
import { type AgreedLine, isZeroQty, type Remainder } from './agreed-part.rules.ts';
import { type LinkedLine, sameDiscount } from './agreed-totals.rules.ts';

/** Part of a requested line that names its source and its terms. */
export interface LineIntent {
  id?: string | undefined;
  source_line?: { type: string; id: string } | null | undefined;
  unit_price?: string | undefined;
  discount?: Discount | null | undefined;
  tax_ids?: readonly string[] | undefined;
}

/** Agreed lines that the lines of a draft can bill. */
interface BillableLines {
  /** Type of the agreement: `sales_order` or `proposal`. */
  type: string;
  agreed: readonly AgreedLine[];
  remainders: ReadonlyMap<string, Remainder>;
  /** Existing lines to replace. */
  before: readonly DraftLine[];
}

const trimmedText = (description: string | null): string => description?.trim() ?? '';

/** Checks that a line sells the agreed product or the agreed free text. */
function isSame(line: DraftLine, agreed: AgreedLine): boolean {
  if (line.product_id !== agreed.product_id) return false;
  return line.product_id !== null || trimmedText(line.description) === trimmedText(agreed.description);
}

const hasTaxes = (line: Pick<DraftLine, 'taxes'>, agreed: AgreedLine): boolean =>
  line.taxes.length === agreed.taxes.length && line.taxes.every(({ id }, at) => agreed.taxes[at]!.id === id);

/** Returns the agreed line that `id` or `source_line` references. Undefined if there is no reference. @throws a 422 */
function referencedLine(line: DraftLine, intent: LineIntent, field: string, { type, agreed, before }: BillableLines) {
  const { id, source_line } = intent;
  const old = id ? before.find((one) => one.id === id) : undefined;
  if (source_line === null) return null;
  const source_id = source_line?.id ?? old?.source_id;
  if (!source_line && !old) return undefined;
  if (!source_id) return null;
  const found = agreed.find((one) => one.id === source_id);
  if (source_line && (!found || source_line.type !== type))
    throw invalid(`${field}.source_line`, 'Source line not found in the order or proposal of this invoice.');
  if (!found || line.product_id !== found.product_id) {
    if (source_line) throw invalid(`${field}.source_line`, 'The source line is for another product.');
    return null;
  }
  return found;
}

/** Ranks an agreed line for a line that names none. The lowest rank fits best. */
function rank(line: DraftLine, agreed: AgreedLine, { remainders, before }: BillableLines): number {
  const stays = before.some(({ source_id }) => source_id === agreed.id);
  const isOpen = !isZeroQty(remainders.get(agreed.id)?.qty ?? '0');
  const hasPrice = compare(line.unit_price, agreed.unit_price) === 0;
  return (stays ? 0 : 4) + (isOpen ? 0 : 2) + (hasPrice ? 0 : 1);
}

/** Rejects a line ID that is used twice or is not in the draft. @throws a 422 */
export function assertIds(intents: readonly LineIntent[], before: readonly DraftLine[]): void {
  const seen = new Set<string>();
  for (const [at, { id }] of intents.entries()) {
    if (!id) continue;
    if (!before.some((one) => one.id === id)) throw invalid(`lines.${at}.id`, 'Line not found in this invoice.');
    if (seen.has(id)) throw invalid(`lines.${at}.id`, 'Use each line ID once.');
    seen.add(id);
  }
}

/**
 * Returns the agreed line of each line. Lines that name one come first, then the others in their order. Agreed lines
 * that no other line bills are preferred. Chosen: without such a line, a line shares the agreed line of its product or
 * text. A split line therefore bills the order, and an addition exceeds the order unless its `source_line` is null.
 */
function matchLines(
  lines: readonly DraftLine[],
  intents: readonly LineIntent[],
  links: BillableLines,
): (AgreedLine | null)[] {
  const found = lines.map((line, at) => referencedLine(line, intents[at] ?? {}, `lines.${at}`, links));
  const taken = new Set(found.flatMap((one) => one?.id ?? []));
  return found.map((one, at) => {
    if (one !== undefined) return one;
    const line = lines[at]!;
    const same = links.agreed.filter((agreed) => isSame(line, agreed));
    const free = same.filter(({ id }) => !taken.has(id));
    const [best] = (free.length > 0 ? free : same).toSorted((a, b) => rank(line, a, links) - rank(line, b, links));
    if (best) taken.add(best.id);
    return best ?? null;
  });
}

/** Returns the terms of a replacing line. Omitted or repeated values are as agreed. */
function withTerms(line: DraftLine, intent: LineIntent, agreed: AgreedLine, before: readonly DraftLine[]): LinkedLine {
  const old = before.find(({ source_id }) => source_id === agreed.id);
  const repeats =
    old !== undefined &&
    intent.discount !== undefined &&
    compare(old.qty, line.qty) === 0 &&
    sameDiscount(old.discount, intent.discount) &&
    old.agreed_terms === true;
  const percent = agreed.discount?.type !== 'amount' && sameDiscount(agreed.discount, intent.discount ?? null);
  const terms = {
    price: intent.unit_price === undefined || compare(line.unit_price, agreed.unit_price) === 0,
    discount: intent.discount === undefined || repeats || percent,
    taxes: intent.tax_ids === undefined || hasTaxes(line, agreed),
  };
  return {
    ...line,
    unit_price: terms.price ? agreed.unit_price : line.unit_price,
    taxes: terms.taxes ? [...agreed.taxes] : line.taxes,
    terms,
  };
}

/**
 * Links the new lines of a draft to the agreed lines that they bill. A line names its source by `id` (of a line of the
 * draft) or `source_line`. A line that names neither bills the agreed line with the same product or free text. Agreed
 * lines that the draft already bills are preferred. Chosen: a line that gets another product, or another text without
 * its `id`, bills nothing of the order.
 * @throws a 422 that names the field
 */
export function linkLines(
  lines: readonly DraftLine[],
  intents: readonly LineIntent[],
  links: BillableLines,
): LinkedLine[] {
  const found = matchLines(lines, intents, links);
  return lines.map((line, at) => {
    const agreed = found[at];
    const own = { ...line, ...(intents[at]?.id && { id: intents[at].id }), source_type: null, source_id: null };
    if (!agreed) return own;
    const linked = { ...own, source_type: links.type, source_id: agreed.id };
    return withTerms(linked, intents[at] ?? {}, agreed, links.before);
  });
}

/** Returns the terms of lines that remain unchanged. */
export const toLinkedLines = (lines: readonly DraftLine[]): LinkedLine[] =>
  lines.map(({ agreed: _, agreed_terms: kept = false, ...line }) => ({
    ...line,
    terms: { price: kept, discount: kept, taxes: kept },
  }));
