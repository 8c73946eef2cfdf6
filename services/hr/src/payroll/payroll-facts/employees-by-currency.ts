/** Finds the employees who are paid in the currency of a run. */
import type { FieldCipher } from '@suite/field-encryption';
import type { Db } from '../../operations.ts';
import { readSalaries, salariesBetween } from './people-rows.ts';

/** Payroll run with the fields that determine its currency and days. */
interface RunCurrency {
  currency: string;
  period_start: string;
  period_end: string;
}

/** Returns the salary currencies of employees in a period, by employee. Employees without a salary have none. */
export async function currenciesOf(
  { db, cipher }: { db: Db; cipher: Pick<FieldCipher, 'open'> },
  { period_start: start, period_end: end }: Omit<RunCurrency, 'currency'>,
  people: readonly string[],
): Promise<Map<string, string[]>> {
  const salaries = await readSalaries(db, cipher, people, end);
  return new Map(
    people.map((id) => {
      const own = salariesBetween(salaries.get(id) ?? [], { start, end });
      return [id, own.flatMap(({ salary }) => salary?.currency ?? [])];
    }),
  );
}

/**
 * Returns the employees of a regular run whose salary is in its currency. The run warns about all others, including
 * employees without a salary, such as unpaid interns.
 */
export async function employeesPaidIn(
  context: { db: Db; cipher: Pick<FieldCipher, 'open'> },
  run: RunCurrency,
  people: readonly string[],
): Promise<string[]> {
  const currencies = await currenciesOf(context, run, people);
  return people.filter((id) => currencies.get(id)!.includes(run.currency));
}
