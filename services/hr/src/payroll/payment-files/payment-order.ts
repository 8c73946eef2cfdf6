/** Payment orders: the transfers of a payment file. */
import { electronicFormatIBAN, isValidIBAN } from 'ibantools';

/** Bank account of a payer or payee. */
export interface PaymentAccount {
  name: string;
  /** IBAN, or an account number in another format. */
  account: string;
  bic: string | null;
}

/** Payment to one employee. */
export interface SalaryTransfer extends PaymentAccount {
  /** Payslip number. */
  number: string;
  amount: string;
  /** Employee code, for people who read the file. */
  code: string;
}

/** Contents of a payment file. */
export interface PaymentOrder {
  message_id: string;
  /** Creation time, RFC 3339, to the second. */
  created_at: string;
  /** YYYY-MM-DD */
  execution_date: string;
  initiator: string;
  currency: string;
  /** Sum of the transfers. */
  total: string;
  debtor: PaymentAccount;
  /** Period as YYYY-MM, for the remittance text. */
  period: string;
  transfers: readonly SalaryTransfer[];
}

const BIC = /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/** Returns the BIC of a bank, or null if its code is not a BIC. */
export const bicOf = (code: string | null): string | null => {
  const bic = (code ?? '').replaceAll(/\s/g, '').toUpperCase();
  return BIC.test(bic) ? bic : null;
};

/** Returns an account number as an IBAN without spaces, or null. */
export const ibanOf = (account: string): string | null => {
  const iban = electronicFormatIBAN(account);
  return iban && isValidIBAN(iban) ? iban : null;
};
