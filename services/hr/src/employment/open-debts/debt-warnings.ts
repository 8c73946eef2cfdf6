/** Warnings about the open loans and recoveries of an employee who leaves, in the responses of exits. */
import { choice, Currency, encrypted, Id, inner, MoneyOut } from '@suite/chassis/fields';
import type { Caller, Keys } from '@suite/chassis/identity';
import { openDecryption } from '@suite/field-encryption';
import { z } from 'zod';
import type { Db } from '../../operations.ts';
import { debtCurrencies, openDebts } from './debts.ts';
import type { DebtWarning } from './debts.rules.ts';

const PERMISSION = 'employee.salary';

export const ExitWarning = z
  .object({
    code: choice('loan_open', 'recovery_open').describe(
      '`loan_open`: a loan is not repaid. `recovery_open`: an amount of earlier payslips is still to be recovered.',
    ),
    employee_id: Id,
    message: z.string(),
    amount: MoneyOut.describe('Outstanding amount.'),
    currency: Currency.describe('Currency of the amount.'),
  })
  .meta({ id: 'ExitWarning' });

/** Field of a response with the warnings. Amounts are stored encrypted, so that replays omit the field. */
export const exitWarnings = () =>
  encrypted(inner(z.array(ExitWarning), PERMISSION)).describe(
    'Open loans and recoveries of the employee who leaves. Empty if the employment continues.',
  );

/** Returns the warnings about an employee who leaves. Undefined for callers who may not see salaries. */
export async function debtWarningsOf(
  { db, caller, keys }: { db: Db; caller: Caller; keys: Pick<Keys, 'master'> },
  employee_id: string,
): Promise<DebtWarning[] | undefined> {
  if (!caller.permissions.includes(PERMISSION)) return undefined;
  const base = caller.currency;
  const currencies = await debtCurrencies(db, employee_id, base);
  if (currencies.length === 0) return [];
  const cipher = await openDecryption(db, keys.master);
  const debtors = [{ employee_id, taken: [] }];
  const warnings: DebtWarning[] = [];
  for (const currency of currencies)
    warnings.push(...(await openDebts({ db, cipher }, debtors, { currency, unknown: base }, 'leaving')));
  return warnings;
}
