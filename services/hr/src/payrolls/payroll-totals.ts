/** The sums of a run by component, over its payslips. They lie sealed: of a run of one they are that person's payslip. */
import { sum } from '@suite/money';
import type { Place, Sealed } from '@suite/sealed';
import type { PayslipLines } from '../payslips/payslip-seals.ts';

const KINDS = { earnings: 'earning', deductions: 'deduction', employer: 'employer' } as const;

/** A component of the run, as its journal needs it. */
export interface ComponentTotal {
  kind: (typeof KINDS)[keyof typeof KINDS];
  code: string;
  name: string;
  /** An account of finance; none where the usual one of the kind serves. */
  account_id: string | null;
  /** Decimal string of the run's currency. */
  amount: string;
}

const totalsPlace = (payroll_id: string): Place => ({ table: 'payrolls', column: 'totals_sealed', id: payroll_id });

/** Seals the sums of a run. */
export const sealTotals = (sealed: Pick<Sealed, 'seal'>, payroll_id: string, totals: readonly ComponentTotal[]) =>
  sealed.seal(totalsPlace(payroll_id), JSON.stringify(totals));

/** Opens the sums of a run; none before it is calculated. */
export const openTotals = (
  sealed: Pick<Sealed, 'open'>,
  { id, totals_sealed }: { id: string; totals_sealed: string | null },
): ComponentTotal[] =>
  totals_sealed ? (JSON.parse(sealed.open(totalsPlace(id), totals_sealed)) as ComponentTotal[]) : [];

const amountsOf = (parts: readonly { amount: string }[]): string[] => parts.map(({ amount }) => amount);

/** Adds payslips to the sums of a run, in the order of kinds and codes. @param of.accounts of components, by their codes */
export function addTotals(
  totals: readonly ComponentTotal[],
  slips: readonly PayslipLines[],
  { accounts, currency }: { accounts: ReadonlyMap<string, string | null>; currency: string },
): ComponentTotal[] {
  const parts = slips.flatMap((slip) =>
    (Object.keys(KINDS) as (keyof PayslipLines)[]).flatMap((list) =>
      slip[list].map(({ code, name, amount }) => ({
        kind: KINDS[list],
        code,
        name,
        account_id: accounts.get(code) ?? null,
        amount,
      })),
    ),
  );
  const groups = Map.groupBy([...totals, ...parts], ({ kind, code, account_id }) => `${kind} ${code} ${account_id}`);
  const order = Object.values(KINDS);
  return [...groups.values()]
    .map((group) => ({ ...group.at(-1)!, amount: sum(amountsOf(group), currency) }))
    .toSorted(
      (one, other) =>
        order.indexOf(one.kind) - order.indexOf(other.kind) ||
        (one.code < other.code ? -1 : Number(one.code > other.code)),
    );
}
