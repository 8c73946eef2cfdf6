/** The sums of a run by component, over its payslips. They lie sealed: of a run of one they are that person's payslip. */
import { sum } from '@suite/money';
import type { Place, Sealed } from '@suite/sealed';
import type { PayslipFigures, PayslipLines } from '../payslips/payslip-seals.ts';

const LISTS = { earnings: 'earning', deductions: 'deduction', employer: 'employer' } as const;
/** In the order in which they are shown. */
const KINDS = ['earning', 'deduction', 'employer', 'left_over'] as const;

/** A component of the run, as its journal needs it. */
export interface ComponentTotal {
  /** `left_over`: deductions for which there was no money, and which are recovered later. */
  kind: (typeof KINDS)[number];
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

/** Payslips as their sums need them. */
interface Summed {
  lines: PayslipLines;
  figures: Pick<PayslipFigures, 'left_over'>;
}

/** The name of a component, and its account of finance. */
interface Named {
  name: string;
  account_id: string | null;
}

/**
 * Adds payslips to the sums of a run, in the order of kinds and codes. Earnings below zero are a line `carried_over` already, and
 * are not left over once more.
 * @param of.components by their codes
 */
export function addTotals(
  totals: readonly ComponentTotal[],
  slips: readonly Summed[],
  { components, currency }: { components: ReadonlyMap<string, Named>; currency: string },
): ComponentTotal[] {
  const accountOf = (code: string) => components.get(code)?.account_id ?? null;
  const parts = slips.flatMap(({ lines, figures }): ComponentTotal[] => [
    ...(Object.keys(LISTS) as (keyof PayslipLines)[]).flatMap((list) =>
      lines[list].map(({ code, name, amount }) => ({
        kind: LISTS[list],
        code,
        name,
        account_id: accountOf(code),
        amount,
      })),
    ),
    ...figures.left_over.flatMap(({ code, amount }): ComponentTotal[] =>
      code
        ? [{ kind: 'left_over', code, name: components.get(code)?.name ?? code, account_id: accountOf(code), amount }]
        : [],
    ),
  ]);
  const groups = Map.groupBy([...totals, ...parts], ({ kind, code, account_id }) => `${kind} ${code} ${account_id}`);
  return [...groups.values()]
    .map((group) => ({ ...group.at(-1)!, amount: sum(amountsOf(group), currency) }))
    .toSorted(
      (one, other) =>
        KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) ||
        (one.code < other.code ? -1 : Number(one.code > other.code)),
    );
}
