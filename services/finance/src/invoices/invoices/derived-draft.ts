/** Lines and discounts of drafts that were created from an order or proposal. */
import { fault } from '@suite/chassis/faults';
import type { Discount } from '@suite/chassis/fields';
import { compare } from '@suite/money';
import { assertIds, toLinkedLines, linkLines } from '../agreements/agreed-links.rules.ts';
import { agreedTotals } from '../agreements/agreed-totals.rules.ts';
import { agreementOf, lockAgreement, type InvoiceOrigins, remaindersOf } from '../agreements/agreement.ts';
import type { Side } from '../documents/side.ts';
import { assertAccounts, computeDocumentTotals, type DraftLine, lineRow } from '../documents/lines.ts';
import type { Db } from '../../operations.ts';
import { billingSourceOf, mergeBilledLines } from './billed-lines.ts';
import type { Invoice, InvoiceFields } from './invoice.ts';

export const DerivedDraft = fault(
  409,
  'derived_draft',
  'This draft was made from another document, which fixes its customer and currency. Create a new invoice instead.',
);

/** Rejects another customer or currency for a draft that was created from another document. @throws DerivedDraft */
export async function assertOriginKept(db: Db, before: Invoice, { party_id, currency }: InvoiceFields): Promise<void> {
  const isMoved = party_id !== undefined && party_id !== before.party_id;
  const isExchanged = currency !== undefined && currency !== before.currency;
  if (!isMoved && !isExchanged) return;
  const { sales_order_id, proposal_id } = before;
  const origin = { sales_order_id, proposal_id, ...(await billingSourceOf(db, before.id)) };
  if (agreementOf(before) ? isMoved || isExchanged : isMoved && origin.source_id) throw DerivedDraft(origin);
}

/** Draft with its changes. */
interface DraftChange {
  before: Invoice | null;
  facts: InvoiceFields;
  written: readonly DraftLine[];
  currency: string;
}

/** Checks that a body repeats the discount of the invoice. */
const isSameDiscount = (one: Discount | null, other: Discount | null): boolean =>
  one === other || (one?.type === other?.type && compare(one!.value, other!.value) === 0);

/** Returns the order or proposal of a new draft. */
const originsOf = ({ columns: { sales_order_id, proposal_id } }: InvoiceFields): InvoiceOrigins => ({
  sales_order_id: typeof sales_order_id === 'string' ? sales_order_id : null,
  proposal_id: typeof proposal_id === 'string' ? proposal_id : null,
});

/** Composes the lines and totals of a draft that was created from an order or proposal. Undefined for other drafts. */
async function composeShare(db: Db, { before, facts, written, currency }: DraftChange) {
  const origin = agreementOf(before ?? originsOf(facts));
  const agreement = origin && (await lockAgreement(db, origin));
  if (!agreement) return undefined;
  const remainders = await remaindersOf(db, agreement, before?.id ?? null);
  const { type, lines: agreed } = agreement;
  const linkedLines = () => linkLines(facts.lines!, facts.intents!, { type, agreed, remainders, before: written });
  const lines = facts.lines ? (facts.intents ? linkedLines() : facts.lines) : toLinkedLines(written);
  const totals = (isShare: boolean, own: Discount | null) => {
    const discount = isShare ? { agreed: agreement.discount } : { own };
    return { ...agreedTotals({ currency, lines, remainders, discount }), agreed_discount: isShare };
  };
  const isShare = before?.agreed_discount ?? true;
  if (facts.discount === undefined) return totals(isShare, before?.discount ?? null);
  const shared = totals(true, null);
  return isShare && isSameDiscount(shared.discount, facts.discount) ? shared : totals(false, facts.discount);
}

/** Returns the lines, totals and discount to store for a draft. @throws a 422 that names the field, BilledTime */
export async function composeLines(db: Db, side: Side, draftChange: DraftChange) {
  const { before, facts, written, currency } = draftChange;
  if (facts.intents) assertIds(facts.intents, written);
  const share = await composeShare(db, draftChange);
  if (share) {
    await assertAccounts(
      db,
      side,
      share.rows.map(({ line }) => line),
    );
    const { header, discount, agreed_discount } = share;
    const rows = share.rows.map(({ line, figures, ...kept }, at) => lineRow({ ...line, ...kept }, at, figures));
    return { header, rows, discount, agreed_discount };
  }
  const discount = facts.discount === undefined ? (before?.discount ?? null) : facts.discount;
  const named = facts.lines?.map((line, at) => ({
    ...line,
    ...(facts.intents?.[at]?.id && { id: facts.intents[at].id }),
  }));
  const lines = named ? mergeBilledLines(written, named) : written;
  return {
    ...(await computeDocumentTotals(db, side, lines, { currency, discount })),
    discount,
    agreed_discount: false,
  };
}
