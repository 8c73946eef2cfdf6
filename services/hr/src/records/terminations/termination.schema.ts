import { BusinessDay, choice, Day, input, record, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { exitWarnings } from '../../employment/open-debts/debt-warnings.ts';
import { searchedEmployee } from '../../organisation/setup/employee-search.ts';
import { about, aboutInput, decided, Words } from '../../employees/employee-records/employee-record.schema.ts';
import { terminationStates } from '../exit-notices/exit-notice.rules.ts';

const Type = choice('dismissal', 'redundancy', 'contract_end', 'retirement', 'death');

/** Termination: the end of an employment without a resignation. */
export const Termination = record({
  ...about,
  type: Type,
  notice_date: Day.nullable().describe('Day of the notice.'),
  date: Day.describe('Last day of employment.'),
  reason: z.string().nullable(),
  waive_notice: z.boolean().describe('Whether the notice period is waived.'),
  ...decided,
  allowed_actions: Actions(terminationStates),
}).meta({ id: 'Termination' });

/** Termination without its expansions. */
export const TerminationColumns = Termination.omit({ employee: true });

/** Termination as commands return it. */
export const PlainTermination = TerminationColumns.extend({ warnings: exitWarnings() }).meta({
  id: 'PlainTermination',
});

const own = ['status', 'type', 'notice_date', 'date', 'created_at'] as const;
const grammar = { sort: ['date', 'created_at', 'updated_at'], order: '-created_at', expand: ['employee'] } as const;

export const TerminationFilter = list(Termination, {
  ...grammar,
  search: searchedEmployee,
  filter: ['employee_id', ...own],
});
export const OwnTerminationFilter = list(Termination, { ...grammar, filter: own });

const fields = {
  type: Type,
  date: BusinessDay.describe(
    "Last day. Respects the employee's notice period unless `waive_notice` is set or the type is `death`.",
  ),
  reason: Words,
};

export const TerminationInput = input({
  ...aboutInput,
  ...fields,
  notice_date: BusinessDay.optional().describe('Defaults to today.'),
  waive_notice: z.boolean().default(false),
});

export const TerminationChanges = input({ ...fields, notice_date: BusinessDay, waive_notice: z.boolean() })
  .partial()
  .extend({ version });

export type TerminationInput = z.output<typeof TerminationInput>;
export type TerminationChanges = z.output<typeof TerminationChanges>;
