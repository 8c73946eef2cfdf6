/** Payment orders: the lines of what a bank is told of whom to pay. */
import { electronicFormatIBAN, isValidIBAN } from 'ibantools';

/** An account that money comes from or goes to. */
export interface PaymentAccount {
  name: string;
  /** An IBAN, or another number. */
  account: string;
  bic: string | null;
}

/** The pay of one person. */
export interface Transfer extends PaymentAccount {
  /** The number of the payslip. */
  number: string;
  amount: string;
  /** Of the person, for people who read the file. */
  code: string;
}

/** Everything that a payment file says. */
export interface PaymentOrder {
  message_id: string;
  /** RFC 3339, to the second. */
  created_at: string;
  /** YYYY-MM-DD */
  execution_date: string;
  initiator: string;
  currency: string;
  /** The sum of the transfers. */
  total: string;
  debtor: PaymentAccount;
  /** YYYY-MM, for the remittance. */
  period: string;
  transfers: readonly Transfer[];
}

const BIC = /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/** The BIC of a bank, where its code is one. */
export const bicOf = (code: string | null): string | null => {
  const bic = (code ?? '').replaceAll(/\s/g, '').toUpperCase();
  return BIC.test(bic) ? bic : null;
};

/** An account number as files have it: an IBAN without spaces. */
export const ibanOf = (account: string): string | null => {
  const iban = electronicFormatIBAN(account);
  return iban && isValidIBAN(iban) ? iban : null;
};
