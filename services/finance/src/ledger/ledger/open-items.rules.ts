/** Settlement of open items: the settled amounts of a claim and a credit, and the posting rule. */
import { Fault, fault, invalid } from '@suite/chassis/faults';
import { asValidationError } from '@suite/document-lines';
import { compare, isOverPrecise, isZero, portion, subtract, sum, toBase } from '@suite/money';
import { credit, debit, type Party, type JournalLine } from './journal.rules.ts';

export const OverAllocated = fault(
  409,
  'over_allocated',
  'The amount exceeds the outstanding amount. Enter a smaller amount.',
);
export const CurrencyMismatch = fault(
  422,
  'currency_mismatch',
  'The two amounts are in different currencies. Enter the exchange rate.',
);

export const BeforeDocument = fault(
  422,
  'before_document',
  'A settlement cannot take effect before the date of either document. Choose a later date.',
);

export interface OpenItem {
  id: string;
  kind: 'claim' | 'credit';
  customer_id: string | null;
  vendor_id: string | null;
  document_type: string;
  document_id: string;
  number: string;
  account_id: string;
  date: string;
  due_date: string;
  currency: string;
  rate: string;
  amount: string;
  base_amount: string;
  settled: string;
  base_settled: string;
  voided: boolean;
}

/** First day that a document allows, with its number. */
export interface EarliestDay {
  date: string;
  number: string;
  /** True if the document is older, but was settled until that day. */
  is_settled_until?: boolean;
}

/**
 * Rejects a settlement before one of its documents: the document would be settled before it exists.
 * @throws BeforeDocument with the first possible day, and the document that determines it
 */
export function assertNotBefore(date: string, documents: readonly EarliestDay[]): void {
  const last = documents.reduce((latest, one) => (one.date > latest.date ? one : latest));
  if (date >= last.date) return;
  const { status, code, text } = BeforeDocument;
  const reason = last.is_settled_until ? 'was settled until' : 'is dated';
  throw new Fault(status, code, text, {
    errors: { date: [`${last.number} ${reason} ${last.date}. Choose that day or a later one.`] },
    details: { date, earliest: last.date, document: last.number },
  });
}

/** Amount of a claim to settle, with the rate if the credit has another currency. */
export interface SettlementPart {
  /** Amount in the currency of the claim. */
  amount: string;
  /** Units of the credit's currency per unit of the open item's currency. Null or undefined within one currency. */
  rate?: string | null | undefined;
}

/** Amount of an open item to settle. */
export interface RequestedSettlement extends SettlementPart {
  open_item_id: string;
}

/** Allocation of a credit to an open item: the amounts taken from both, in their currencies and in base currency. */
export interface Settlement {
  claim: OpenItem;
  amount: string;
  credit_amount: string;
  rate: string | null;
  claim_base: string;
  credit_base: string;
  /** Base amount of the exchange between the two currencies. Null within one currency. */
  exchange_base: string | null;
}

/** Returns the open amount of an item, in its currency. */
export const openOf = ({ amount, settled, currency, voided }: OpenItem): string =>
  voided ? subtract('0', '0', currency) : subtract(amount, settled, currency);

/** Currencies of the claim and the credit. */
interface SettlementCurrencies {
  claim: string;
  credit: string;
}

/**
 * Returns the amount of a credit that settles a part of an open item, in the credit's currency.
 * @param field path of the part in the body, for messages
 * @throws CurrencyMismatch for a missing exchange rate; a 422 that names the field
 */
export function creditAmount(
  { amount, rate }: SettlementPart,
  { claim, credit }: SettlementCurrencies,
  field: string,
): string {
  if (claim !== credit && !rate) throw CurrencyMismatch({ field: `${field}.rate`, currency: claim });
  if (claim === credit && rate) throw invalid(`${field}.rate`, `Both are in ${claim}. Omit the exchange rate.`);
  if (isOverPrecise(amount, claim) || compare(amount, '0') <= 0) {
    throw invalid(`${field}.amount`, `Enter an amount in ${claim} greater than zero.`);
  }
  if (!rate) return amount;
  const taken = asValidationError(
    () => toBase(amount, rate, credit),
    (name) => `${field}.${name}`,
  );
  if (isZero(taken))
    throw invalid(
      `${field}.amount`,
      `At this rate, the amount is less than the smallest unit of ${credit}. Enter a larger amount.`,
    );
  return taken;
}

type SettleableItem = Pick<OpenItem, 'amount' | 'base_amount' | 'settled' | 'base_settled' | 'currency'>;

/**
 * Returns the base amount of the next settlement step. Each step is the difference between the base amounts of the
 * settled totals after and before it. So all steps add up exactly, even after one between others was undone.
 */
function baseStep(item: SettleableItem, now: string, base_currency: string): string {
  const { amount, base_amount, settled, base_settled, currency } = item;
  const total = sum([settled, now], currency);
  const step = subtract(
    portion(base_amount, { whole: amount, before: '0', now: total }, base_currency),
    base_settled,
    base_currency,
  );
  return step.startsWith('-') ? sum([], base_currency) : step;
}

/**
 * Computes the amounts that an allocation takes from the credit and from each open item. The open items must be locked.
 * @param credit the credit that is allocated; `settled` is the part used before
 * @param field path of the allocations in the body, for messages
 * @param date effective date
 * @throws OverAllocated, CurrencyMismatch, BeforeDocument, a 422 for an open item of another party
 */
export function planSettlements(
  credit: SettleableItem & Pick<OpenItem, 'date' | 'number'> & { party: Party },
  claims: ReadonlyMap<string, OpenItem>,
  requested: readonly RequestedSettlement[],
  { base_currency, field, date }: { base_currency: string; field: string; date: string },
): Settlement[] {
  let spent = credit.settled;
  let spent_base = credit.base_settled;
  return requested.map(({ open_item_id, ...part }, at) => {
    const { amount, rate = null } = part;
    if (requested.findIndex((other) => other.open_item_id === open_item_id) !== at) {
      throw invalid(`${field}.${at}`, 'This value occurs twice. Remove one.');
    }
    const claim = claims.get(open_item_id);
    const owner = credit.party.kind === 'customer' ? claim?.customer_id : claim?.vendor_id;
    if (!claim || claim.kind !== 'claim' || owner !== credit.party.id) {
      throw invalid(`${field}.${at}`, 'This customer or vendor has no open items.');
    }
    assertNotBefore(date, [credit, claim]);
    const { currency } = credit;
    const credit_amount = creditAmount(part, { claim: claim.currency, credit: currency }, `${field}.${at}`);
    const left = subtract(credit.amount, spent, currency);
    if (compare(amount, openOf(claim)) > 0) {
      const { document_id: invoice_id, number } = claim;
      throw OverAllocated({ field: `${field}.${at}.amount`, invoice_id, number, open: openOf(claim) });
    }
    if (compare(credit_amount, left) > 0) throw OverAllocated({ field: `${field}.${at}.amount`, left });
    const claim_base = baseStep(claim, amount, base_currency);
    const before = { ...credit, settled: spent, base_settled: spent_base };
    const credit_base = baseStep(before, credit_amount, base_currency);
    spent = sum([spent, credit_amount], currency);
    spent_base = sum([spent_base, credit_base], base_currency);
    // A claim in base currency has its own base amount. Between two foreign currencies, the rate of the credit applies.
    const exchange_base = rate && (claim.currency === base_currency ? claim_base : credit_base);
    return { claim, amount, credit_amount, rate, claim_base, credit_base, exchange_base };
  });
}

/** Returns the customer or vendor of an item. */
export const partyOfItem = ({ customer_id, vendor_id }: Pick<OpenItem, 'customer_id' | 'vendor_id'>): Party =>
  customer_id ? { kind: 'customer', id: customer_id } : { kind: 'vendor', id: vendor_id as string };

/**
 * Returns the journal lines that settle claims, each at the rate of its own date. A claim in another currency is
 * settled through the exchange account, so that each currency balances. In base currency that account has no remainder.
 */
export const claimLines = (party: Party, settlements: readonly Settlement[]): JournalLine[] =>
  settlements.flatMap(({ claim, amount, credit_amount, claim_base, exchange_base }) => {
    const [settles, opens] = party.kind === 'customer' ? [credit, debit] : [debit, credit];
    const { currency, number: memo } = claim;
    const settled = settles({ id: claim.account_id }, amount, {
      base: claim_base,
      currency,
      open_item_id: claim.id,
      party,
      memo,
    });
    if (exchange_base === null) return [settled];
    return [
      settles('currency_exchange', credit_amount, { base: exchange_base, memo }),
      opens('currency_exchange', amount, { base: exchange_base, currency, memo }),
      settled,
    ];
  });

/** Returns the journal lines for allocating a credit to open items: the credit leaves its account. */
export function applicationLines(spent: OpenItem, settlements: readonly Settlement[]): JournalLine[] {
  const party = partyOfItem(spent);
  const leave = party.kind === 'customer' ? debit : credit;
  const more = { open_item_id: spent.id, party, memo: spent.number };
  const from = settlements.map(({ credit_amount, credit_base }) =>
    leave({ id: spent.account_id }, credit_amount, { base: credit_base, ...more }),
  );
  return [...from, ...claimLines(party, settlements)];
}
