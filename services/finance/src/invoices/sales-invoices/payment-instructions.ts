/** Payment instructions on the PDF of an invoice: an account of the workspace, and a QR code for banking apps. */
import { sql } from '@suite/chassis/database';
import type { PdfFact, PdfDocument } from '@suite/pdf';
import { electronicFormatIBAN, friendlyFormatIBAN, isValidIBAN } from 'ibantools';
import type { Db } from '../../operations.ts';

/** An account that invoices print. */
interface PrintedAccount {
  bank_name: string;
  account_number: string;
  holder: string | null;
  bic: string | null;
}

/** An amount due and its payee. `due` is a decimal string in the currency. */
interface AmountDue {
  number: string;
  currency: string;
  due: string;
  payee: string;
}

/**
 * Returns the account that invoices in a currency print.
 * Chosen: the oldest one if several are marked, because a customer needs one account and not a choice.
 */
export async function findPrintedAccount(db: Db, currency: string): Promise<PrintedAccount | undefined> {
  const [account] = await db.rows<PrintedAccount>(sql`
    SELECT bank_name, account_number, holder, bic FROM bank_accounts
    WHERE on_invoices AND active AND account_number IS NOT NULL AND currency = ${currency}
    ORDER BY created_at, id LIMIT 1`);
  return account;
}

const line = (text: string, length: number): string =>
  [...text.replaceAll(/\s+/g, ' ').trim()].slice(0, length).join('');

/** Returns an account number as an IBAN without spaces, or null. */
function ibanOf({ account_number }: PrintedAccount): string | null {
  const iban = electronicFormatIBAN(account_number);
  return iban && isValidIBAN(iban) ? iban : null;
}

/**
 * Returns the text of a QR code for a SEPA transfer, by the guideline EPC069-12, version 002. Null for a payment that
 * is none: the code allows 0.01 to 999,999,999.99 euro, to an IBAN.
 */
export function transferCode(account: PrintedAccount, { number, currency, due, payee }: AmountDue): string | null {
  const iban = ibanOf(account);
  if (currency !== 'EUR' || iban === null || due.length > '999999999.99'.length) return null;
  const name = line(account.holder ?? payee, 70);
  return ['BCD', '002', '1', 'SCT', account.bic ?? '', name, iban, `EUR${due}`, '', '', line(number, 140)].join('\n');
}

/** Returns the payment instructions of an invoice. */
export function paymentInstructions(account: PrintedAccount, payable: AmountDue): NonNullable<PdfDocument['payment']> {
  const { bank_name, account_number, holder, bic } = account;
  const iban = ibanOf(account);
  const facts: PdfFact[] = [
    ['account_holder', { text: holder ?? payable.payee }],
    iban === null
      ? ['account_number', { text: account_number }]
      : [{ text: 'IBAN' }, { text: friendlyFormatIBAN(iban) }],
    [{ text: 'BIC' }, { text: bic }],
    ['bank', { text: bank_name }],
    ['payment_reference', { text: payable.number }],
  ];
  return { facts, code: transferCode(account, payable) };
}
