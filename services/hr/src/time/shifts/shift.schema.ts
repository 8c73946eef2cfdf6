import { choice, input, Name, record, Time, version, Zone } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { payrollBases } from '../days/day.rules.ts';
import { shiftActions } from './shift.rules.ts';

const DAY_MINUTES = 1_440;
const Minutes = z.int().min(0).max(DAY_MINUTES);
const Weekday = z.int().min(1).max(7);
const Days = z
  .array(Weekday)
  .min(1, 'Choose at least one weekday.')
  .max(7)
  .refine((days) => new Set(days).size === days.length, 'Enter each weekday only once.');

/** Minute fields of a shift with their defaults. */
const minutes = {
  break_minutes: 0,
  grace_late_minutes: 0,
  grace_early_minutes: 0,
  half_day_below_minutes: 0,
  absent_below_minutes: 0,
  early_window_minutes: 120,
  late_window_minutes: 240,
  break_after_minutes: 360,
  overtime_after_minutes: 15,
} as const;
type MinuteFields<T extends z.ZodType> = Record<keyof typeof minutes, T>;
const eachMinute = <T extends z.ZodType>(schema: (usual: number) => T) =>
  Object.fromEntries(Object.entries(minutes).map(([name, usual]) => [name, schema(usual)])) as MinuteFields<T>;

/** Basis of a shift, which overrides the workspace setting. */
const Basis = choice(...payrollBases)
  .nullable()
  .describe('Payroll basis of the shift. `null` for the basis of the workspace.');

/** Shift: the working hours of a day. */
export const Shift = record({
  name: z.string(),
  start: z.string().describe('Start of the shift (HH:MM), in its time zone.'),
  end: z.string().describe('End of the shift. An end not later than the start is on the next day.'),
  crosses_midnight: z.boolean(),
  days: z.array(Weekday).describe('Weekdays on which the shift begins: 1 for Monday to 7 for Sunday.'),
  timezone: z.string(),
  is_night: z.boolean(),
  ...eachMinute(() => z.int()),
  payroll_basis: Basis,
  is_default: z.boolean().describe('Whether this is the default shift of new employees.'),
  active: z.boolean().describe('Whether the shift can be selected for employees.'),
  employee_count: z.int().describe('Number of employees of the shift that the caller can see.'),
  allowed_actions: Actions(shiftActions),
}).meta({ id: 'Shift' });

export const ShiftFilter = list(Shift, {
  filter: ['name', 'is_night', 'is_default', 'active', 'created_at', 'updated_at'],
  sort: ['name', 'created_at', 'updated_at'],
  order: 'name',
  search: true,
});

export const ShiftInput = input({
  name: Name,
  start: Time,
  end: Time,
  days: Days,
  timezone: Zone.optional().describe('Defaults to the time zone of the workspace.'),
  is_night: z.boolean().default(false),
  ...eachMinute((usual) => Minutes.default(usual)),
  payroll_basis: Basis.default(null),
  is_default: z.boolean().default(false),
  active: z.boolean().default(true),
});

export const ShiftChanges = input({
  name: Name.optional(),
  start: Time.optional(),
  end: Time.optional(),
  days: Days.optional(),
  timezone: Zone.optional(),
  is_night: z.boolean().optional(),
  ...eachMinute(() => Minutes.optional()),
  payroll_basis: Basis.optional(),
  is_default: z.literal(true).optional().describe('`true` makes this the default shift and replaces the previous one.'),
  active: z.boolean().optional(),
  version,
});

export type ShiftInput = z.output<typeof ShiftInput>;
export type ShiftChanges = z.output<typeof ShiftChanges>;
