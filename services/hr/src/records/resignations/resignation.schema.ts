import { BusinessDay, Day, input, record, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { exitWarnings } from '../../employment/open-debts/debt-warnings.ts';
import { searchedEmployee } from '../../organisation/setup/employee-search.ts';
import { about, aboutInput, decided, Words } from '../../employees/employee-records/employee-record.schema.ts';
import { resignationStates } from '../exit-notices/exit-notice.rules.ts';

/** Resignation by an employee. */
export const Resignation = record({
  ...about,
  notice_date: Day.describe('Day of the notice.'),
  last_day: Day,
  reason: z.string().nullable(),
  waive_notice: z.boolean().describe('Whether the notice period is waived.'),
  ...decided,
  allowed_actions: Actions(resignationStates),
}).meta({ id: 'Resignation' });

/** Resignation without its expansions. */
export const ResignationColumns = Resignation.omit({ employee: true });

/** Resignation as commands return it. */
export const PlainResignation = ResignationColumns.extend({ warnings: exitWarnings() }).meta({
  id: 'PlainResignation',
});

const own = ['status', 'notice_date', 'last_day', 'created_at'] as const;
const grammar = {
  sort: ['last_day', 'created_at', 'updated_at'],
  order: '-created_at',
  expand: ['employee'],
} as const;

export const ResignationFilter = list(Resignation, {
  ...grammar,
  search: searchedEmployee,
  filter: ['employee_id', ...own],
});
export const OwnResignationFilter = list(Resignation, { ...grammar, filter: own });

const notice = {
  last_day: BusinessDay.describe("Last day, after at least the employee's notice period unless `waive_notice` is set."),
  reason: Words,
};

export const ResignationInput = input({
  ...aboutInput,
  notice_date: BusinessDay,
  ...notice,
  waive_notice: z.boolean().default(false),
});

export const ResignationChanges = input({
  notice_date: BusinessDay,
  ...notice,
  waive_notice: z.boolean(),
})
  .partial()
  .extend({ version });

/** Resignation by the caller, from today on. */
export const OwnResignationInput = input(notice);

export type ResignationInput = z.output<typeof ResignationInput>;
export type ResignationChanges = z.output<typeof ResignationChanges>;
