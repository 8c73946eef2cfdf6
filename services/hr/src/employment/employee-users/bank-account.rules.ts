/** Bank accounts of employees: the stored form, and the names of requests and responses. */
import { assertAccount } from './employee.rules.ts';

/** Bank account in its encrypted form. Values that are already stored keep these names. */
export interface BankAccount {
  name: string;
  holder: string | null;
  account: string;
  code: string | null;
}

/** Bank account in a request. */
interface BankInput {
  bank_name: string;
  holder?: string | null | undefined;
  account_number: string;
  bank_code?: string | null | undefined;
}

/** Returns the form in which a bank account is stored. @throws IbanInvalid */
export const storedBank = ({ bank_name, holder = null, account_number, bank_code = null }: BankInput): BankAccount => ({
  name: bank_name,
  holder,
  code: bank_code,
  account: assertAccount(account_number),
});

/** Returns a stored bank account with the names of requests and responses, and the given form of its number. */
export const bankWith = <Shown>({ name, holder, code }: BankAccount, account_number: Shown) => ({
  bank_name: name,
  holder,
  account_number,
  bank_code: code,
});
