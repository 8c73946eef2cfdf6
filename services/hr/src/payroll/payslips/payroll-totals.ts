/**
 * Totals of a run by component, over all payslips. They are encrypted, because the totals of a run with one employee
 * equal their payslip.
 */
import { sum } from '@suite/money';
import type { CipherLocation, FieldCipher } from '@suite/field-encryption';
import type { PayslipAmounts, PayslipLines } from './payslip-encryption.ts';

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

const totalsCipherLocation = (payroll_id: string): CipherLocation => ({
  table: 'payrolls',
  column: 'totals_sealed',
  id: payroll_id,
});

/** Encrypts the totals of a run. */
export const encryptTotals = (
  cipher: Pick<FieldCipher, 'seal'>,
  payroll_id: string,
  totals: readonly ComponentTotal[],
) => cipher.seal(totalsCipherLocation(payroll_id), JSON.stringify(totals));

/** Decrypts the totals of a run. Null before its calculation. */
export const decryptTotals = (
  cipher: Pick<FieldCipher, 'open'>,
  { id, totals_sealed }: { id: string; totals_sealed: string | null },
): ComponentTotal[] =>
  totals_sealed ? (JSON.parse(cipher.open(totalsCipherLocation(id), totals_sealed)) as ComponentTotal[]) : [];

const amountsOf = (parts: readonly { amount: string }[]): string[] => parts.map(({ amount }) => amount);

/** Payslip with the data for the totals. */
interface PayslipTotals {
  lines: PayslipLines;
  figures: Pick<PayslipAmounts, 'left_over'>;
}

/** Name of a component, and its account in finance. */
interface ComponentName {
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
  payslips: readonly PayslipTotals[],
  { components, currency }: { components: ReadonlyMap<string, ComponentName>; currency: string },
): ComponentTotal[] {
  const accountOf = (code: string) => components.get(code)?.account_id ?? null;
  const parts = payslips.flatMap(({ lines, figures: amounts }): ComponentTotal[] => [
    ...(Object.keys(LISTS) as (keyof PayslipLines)[]).flatMap((list) =>
      lines[list].map(({ code, name, amount }) => ({
        kind: LISTS[list],
        code,
        name,
        account_id: accountOf(code),
        amount,
      })),
    ),
    ...amounts.left_over.flatMap(({ code, amount }): ComponentTotal[] =>
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
