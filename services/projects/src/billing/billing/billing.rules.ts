/** Conversion of approved time to invoice lines, exact to the second and to the cent. */
import { documentTotals, hoursOf, spread, sum } from '@suite/money';
import { fault } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';

export const NothingToBill = fault(
  409,
  'nothing_to_bill',
  'There is no approved time to invoice. Approve the time first.',
);
export const TooManyLines = fault(
  422,
  'too_many_lines',
  'An invoice has at most 200 lines. Group the time entries, or invoice fewer.',
);

/** Statuses of a billing run. The request for its draft has separate statuses: see packages/saga. */
export const runStates = lifecycle(
  'billing_run',
  {
    claimed: { invoice: 'invoiced' },
    invoiced: { release: 'released' },
    released: {},
  },
  {
    actions: {
      invoice: { by: ['billing.invoice', 'projects.complete-posted-billing'] },
      release: { by: ['projects.release-deleted-draft', 'projects.release-cancelled-invoice'] },
    },
  },
);

/** Time entry that can be billed. */
export interface BillableEntry {
  id: string;
  user_id: string;
  user_name: string;
  task_id: string | null;
  task: string | null;
  description: string | null;
  local_date: string;
  rounded_seconds: number;
  hourly_rate: string;
}

type Grouping = 'task' | 'member' | 'rate' | 'entry';

/** Invoice line with the share of each time entry. */
export interface BilledLine {
  label: string;
  rate: string;
  seconds: number;
  qty: string;
  net: string;
  entries: { id: string; amount: string }[];
}

/** Grouping and names of lines. */
export interface BillingTerms {
  project: string;
  by: Grouping;
  currency: string;
  /** True if lines of members show their names. */
  names: boolean;
}

/** Returns the label of a line, and the key that its entries share. */
const groupOf = (entry: BillableEntry, { project, by, names }: BillingTerms): { key: string; label: string } => {
  if (by === 'task') return { key: entry.task_id ?? '', label: entry.task ?? project };
  if (by === 'member') return { key: entry.user_id, label: names ? `${project}: ${entry.user_name}` : project };
  if (by === 'rate') return { key: '', label: project };
  return { key: entry.id, label: `${entry.local_date} ${entry.description || entry.task || project}` };
};

/** Adds the period of the time to a label, so that the customer sees what they pay for. */
function withPeriod(label: string, entries: readonly BillableEntry[], by: Grouping): string {
  if (by === 'entry') return label;
  const days = entries.map(({ local_date }) => local_date).toSorted();
  const [first, last] = [days[0]!, days.at(-1)!];
  return `${label} (${first === last ? first : `${first} – ${last}`})`;
}

function lineOf(label: string, entries: readonly BillableEntry[], currency: string): BilledLine {
  const { hourly_rate: rate } = entries[0]!;
  const seconds = entries.reduce((all, { rounded_seconds }) => all + rounded_seconds, 0);
  const qty = hoursOf(seconds);
  const { net_total: net } = documentTotals({ currency, lines: [{ qty, unit_price: rate, taxes: [] }] });
  const weights = entries.map(({ rounded_seconds }) => String(rounded_seconds));
  const amounts = spread(net, weights, currency);
  return { label, rate, seconds, qty, net, entries: entries.map(({ id }, at) => ({ id, amount: amounts[at]! })) };
}

/**
 * Groups entries into lines with one rate each. The net amount of a line is distributed over its entries by largest
 * remainder, so that they add up exactly.
 * @throws TooManyLines
 */
export function linesOf(entries: readonly BillableEntry[], terms: BillingTerms): BilledLine[] {
  const { by, currency } = terms;
  const groups = Map.groupBy(entries, (entry) => `${groupOf(entry, terms).key} ${Number(entry.hourly_rate)}`);
  if (groups.size > 200) throw TooManyLines({ lines: groups.size });
  return [...groups.values()].map((group) =>
    lineOf(withPeriod(groupOf(group[0]!, terms).label, group, by), group, currency),
  );
}

/** Returns the totals of lines. */
export const billedTotal = (lines: readonly BilledLine[], currency: string) => ({
  entries: lines.reduce((all, line) => all + line.entries.length, 0),
  seconds: lines.reduce((all, line) => all + line.seconds, 0),
  net: sum(
    lines.map(({ net }) => net),
    currency,
  ),
});
