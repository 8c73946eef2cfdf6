/** Finds who is paid in the currency of a run. */
import type { Sealed } from '@suite/sealed';
import type { Db } from '../operations.ts';
import { readSalaries, salariesBetween } from './people-rows.ts';

/** A run, as far as it says in which currency it pays for which days. */
interface InCurrency {
  currency: string;
  period_start: string;
  period_end: string;
}

/** The currencies of the salaries that people have in a period, by employee. None for somebody without a salary. */
export async function currenciesOf(
  { db, sealed }: { db: Db; sealed: Pick<Sealed, 'open'> },
  { period_start: start, period_end: end }: Omit<InCurrency, 'currency'>,
  people: readonly string[],
): Promise<Map<string, string[]>> {
  const salaries = await readSalaries(db, sealed, people, end);
  return new Map(
    people.map((id) => {
      const own = salariesBetween(salaries.get(id) ?? [], { start, end });
      return [id, own.flatMap(({ salary }) => salary?.currency ?? [])];
    }),
  );
}

/**
 * The people of a regular run whose salary is in its currency. The run warns of the others, who are left out: also of people
 * without a salary, such as an unpaid intern.
 */
export async function paidIn(
  work: { db: Db; sealed: Pick<Sealed, 'open'> },
  run: InCurrency,
  people: readonly string[],
): Promise<string[]> {
  const currencies = await currenciesOf(work, run, people);
  return people.filter((id) => currencies.get(id)!.includes(run.currency));
}
