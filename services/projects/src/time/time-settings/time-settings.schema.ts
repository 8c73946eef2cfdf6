import { choice, Day, Id, foreignId, inner, input, Money, MoneyOut, version } from '@suite/chassis/fields';
import { z } from 'zod';

const minutes = z.int().min(0).max(60);
const Weekdays = z
  .array(z.int().min(1).max(7))
  .max(7)
  .refine((days) => new Set(days).size === days.length, 'Enter each day only once.');

/** Rounding rule of finished entries for invoices. */
const RoundingRule = z
  .strictObject({
    mode: choice('default', 'closest', 'floor', 'ceil'),
    begin_minutes: minutes.default(0).describe('Step to which the start is rounded. `0` does not round.'),
    end_minutes: minutes.default(0).describe('Step to which the end is rounded. `0` does not round.'),
    duration_minutes: minutes.default(0).describe('Step to which the duration is rounded. `0` does not round.'),
    weekdays: Weekdays.default([1, 2, 3, 4, 5, 6, 7]).describe(
      'Days on which time is rounded, from 1 (Monday) to 7 (Sunday).',
    ),
  })
  .meta({ id: 'TimeRounding' });

const rate = (text: string) => inner(MoneyOut.nullable(), 'time.view_all').describe(text);

const NAMES =
  'Whether invoices grouped by member show the names of members. Defaults to `false`: their lines then show the project.';

/** Time tracking settings of a workspace. */
export const TimeSettings = z
  .object({
    late_time: z.boolean().describe('Whether time can be recorded on completed and cancelled tasks.'),
    on_second_start: choice('stop', 'refuse').describe('Effect of a second start on the running timer.'),
    auto_stop_hours: z.int(),
    max_offline_days: z.int(),
    min_seconds: z.int(),
    rounding: RoundingRule.nullable(),
    self_approval: z.boolean(),
    locked_through: Day.nullable().describe('Last day that was locked manually. `null` if there is none.'),
    lock_period: choice('none', 'week', 'month').describe('Periods that close automatically.'),
    grace_days: z.int().describe('Days after the end of a period until it closes.'),
    invoice_member_names: z.boolean().describe(NAMES),
    closed_through: Day.nullable().describe('Last locked day, set by a user or automatically.'),
    hourly_rate: rate('Default hourly rate.'),
    cost_rate: rate('Internal cost per hour.'),
    user_rates: inner(
      z.array(z.object({ user_id: Id, hourly_rate: MoneyOut.nullable(), cost_rate: MoneyOut.nullable() })),
      'time.view_all',
    ),
    version: z.int(),
  })
  .meta({ id: 'TimeSettings' });

export const TimeSettingsChanges = input({
  late_time: z.boolean().optional(),
  on_second_start: choice('stop', 'refuse').optional(),
  auto_stop_hours: z.int().min(1).max(24).optional(),
  max_offline_days: z.int().min(0).max(366).optional(),
  min_seconds: z.int().min(0).max(3_600).optional(),
  rounding: RoundingRule.nullish(),
  self_approval: z.boolean().optional(),
  locked_through: Day.nullish().describe('Last locked day, not in the future. Requires the permission `time.approve`.'),
  lock_period: choice('none', 'week', 'month').optional(),
  grace_days: z.int().min(0).max(366).optional(),
  invoice_member_names: z.boolean().optional().describe(NAMES),
  hourly_rate: Money.nullish(),
  cost_rate: Money.nullish(),
  user_rates: z
    .array(
      z.strictObject({
        user_id: foreignId('platform.user'),
        hourly_rate: Money.nullable(),
        cost_rate: Money.nullable(),
      }),
    )
    .max(100)
    .optional()
    .describe('Sets the rates of these users. Rates of other users stay unchanged.'),
  version,
});

export type TimeSettingsChanges = z.output<typeof TimeSettingsChanges>;
