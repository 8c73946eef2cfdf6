/** Finds who is paid in the currency of a run. */
import type { Caller } from '@suite/chassis';
import type { Sealed } from '@suite/sealed';
import type { Db } from '../operations.ts';
import { readSalaries, salariesBetween } from './people-rows.ts';

/** A run, as far as it says in which currency it pays for which days. */
interface InCurrency {
  currency: string;
  period_start: string;
  period_end: string;
}

/**
 * The people of a regular run whose salary is in its currency. Somebody without a salary is of the run in the currency of the
 * workspace, which says what is missing.
 * @param work.caller none for a run that is made by itself, in the currency of the workspace
 */
export async function paidIn(
  { db, sealed, caller }: { db: Db; sealed: Pick<Sealed, 'open'>; caller: Caller | null },
  { currency, period_start: start, period_end: end }: InCurrency,
  people: readonly string[],
): Promise<string[]> {
  const isOwn = !caller || caller.currency === currency;
  const salaries = await readSalaries(db, sealed, people, end);
  return people.filter((id) => {
    const own = salariesBetween(salaries.get(id) ?? [], { start, end });
    const currencies = own.flatMap(({ salary }) => salary?.currency ?? []);
    return currencies.length === 0 ? isOwn : currencies.includes(currency);
  });
}
