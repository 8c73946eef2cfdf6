/**
 * Totals of a run by component, over all payslips. They are encrypted, because the totals of a run with one employee
 * equal their payslip.
 */
import { sum } from '@suite/money';
import type { CipherLocation, FieldCipher } from '@suite/field-encryption';
import type { PayslipFigures, PayslipLines } from './payslip-seals.ts';

const LISTS = { earnings: 'earning', deductions: 'deduction', employer: 'employer' } as const;
/** Kinds of components, in display order. */
const KINDS = ['earning', 'deduction', 'employer', 'left_over'] as const;

/** Component of a run with the data for its journal. */
export interface ComponentTotal {
  /** `left_over`: deductions that exceeded the pay and are recovered later. */
  kind: (typeof KINDS)[number];
  code: string;
  name: string;
  /** Account in finance. Null for the default account of the kind. */
  account_id: string | null;
  /** Amount in the currency of the run, as a decimal string. */
  amount: string;
}

const totalsPlace = (payroll_id: string): CipherLocation => ({
  table: 'payrolls',
  column: 'totals_sealed',
  id: payroll_id,
});

/** Encrypts the totals of a run. */
export const sealTotals = (sealed: Pick<FieldCipher, 'seal'>, payroll_id: string, totals: readonly ComponentTotal[]) =>
  sealed.seal(totalsPlace(payroll_id), JSON.stringify(totals));

/** Decrypts the totals of a run. Null before its calculation. */
export const openTotals = (
  sealed: Pick<FieldCipher, 'open'>,
  { id, totals_sealed }: { id: string; totals_sealed: string | null },
): ComponentTotal[] =>
  totals_sealed ? (JSON.parse(sealed.open(totalsPlace(id), totals_sealed)) as ComponentTotal[]) : [];

const amountsOf = (parts: readonly { amount: string }[]): string[] => parts.map(({ amount }) => amount);

/** Payslip with the data for the totals. */
interface Summed {
  lines: PayslipLines;
  figures: Pick<PayslipFigures, 'left_over'>;
}

/** Name of a component, and its account in finance. */
interface Named {
  name: string;
  account_id: string | null;
}

/**
 * Adds payslips to the totals of a run, ordered by kind and code. Negative earnings already are a `carried_over` line
 * and are not added a second time.
 * @param of.components components by code
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
