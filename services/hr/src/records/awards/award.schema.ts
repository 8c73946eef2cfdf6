import { BusinessDay, Day, input, Name, record, ShortText, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { about, aboutInput } from '../../employees/employee-records/employee-record.schema.ts';
import { awardActions } from './award.rules.ts';

/** Award: an object or a title given to an employee for their work. */
export const Award = record({
  ...about,
  type: z.string().describe('Award type defined by the workspace, such as `employee of the month`.'),
  date: Day,
  title: z.string(),
  gift: z.string().nullable(),
  public: z.boolean().describe('Whether all employees can see the award.'),
  allowed_actions: Actions(awardActions),
}).meta({ id: 'Award' });

/** Award as commands return it. */
export const PlainAward = Award.omit({ employee: true }).meta({ id: 'PlainAward' });

const own = ['type', 'date', 'public', 'created_at'] as const;
const grammar = {
  sort: ['date', 'created_at', 'updated_at'],
  order: '-created_at',
  search: true,
  expand: ['employee'],
} as const;

export const AwardFilter = list(Award, { ...grammar, filter: ['employee_id', ...own] });
export const OwnAwardFilter = list(Award, { ...grammar, filter: own });

const fields = { type: ShortText(100).min(1), date: BusinessDay, title: Name };

export const AwardInput = input({
  ...aboutInput,
  ...fields,
  gift: ShortText().min(1).optional(),
  public: z.boolean().default(false),
});
export const AwardChanges = input({ ...fields, gift: ShortText().min(1).nullable(), public: z.boolean() })
  .partial()
  .extend({ version });

export type AwardInput = z.output<typeof AwardInput>;
export type AwardChanges = z.output<typeof AwardChanges>;
