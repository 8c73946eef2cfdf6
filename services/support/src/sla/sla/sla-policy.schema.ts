import { choice, Id, foreignId, input, Name, record, refTo, ShortText, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { slaPolicyActions } from './sla-policy.rules.ts';

/** Urgency of a ticket. */
export const Priority = choice('low', 'medium', 'high', 'urgent');

const some = <S extends z.ZodType>(schema: S) => z.array(schema).min(1).max(100).optional();
const schema = {
  priority: some(Priority),
  type: some(choice('question', 'incident', 'problem', 'request')),
  tags: some(ShortText(50).min(1)),
  channel: some(choice('portal', 'email', 'api', 'widget')),
};
const minutes = z.int().min(1).max(525_600).optional();
const Target = z.strictObject({
  first_response_minutes: minutes,
  resolution_minutes: minutes,
  next_response_minutes: minutes,
});
const Targets = z.strictObject({
  low: Target.optional(),
  medium: Target.optional(),
  high: Target.optional(),
  urgent: Target.optional(),
});
const Paused = z.array(choice('pending', 'on_hold')).max(2);

/** SLA policy: targets for tickets that meet its conditions. */
export const SlaPolicy = record({
  name: z.string(),
  position: z
    .int()
    .describe('Zero-based position without gaps. The first active policy whose conditions match applies.'),
  active: z.boolean(),
  conditions: z
    .strictObject({ ...schema, category_id: some(Id), customer_id: some(Id) })
    .describe('Conditions of the policy. A ticket must match each given list.'),
  targets: Targets.describe('Targets in working minutes, by priority.'),
  calendar_id: Id,
  pause_in: z.array(z.string()).describe('Statuses in which the resolution timer is paused.'),
  warn_percent: z.int(),
  allowed_actions: Actions(slaPolicyActions),
}).meta({ id: 'SlaPolicy' });

export const SlaPolicyFilter = list(SlaPolicy, {
  filter: ['name', 'active', 'calendar_id', 'position', 'created_at', 'updated_at'],
  sort: ['position', 'name', 'created_at', 'updated_at'],
  order: 'position',
  search: true,
});

const isInOrder = (targets: z.output<typeof Targets>): boolean =>
  Object.values(targets).every(
    ({ first_response_minutes: first, resolution_minutes: whole }) =>
      first === undefined || whole === undefined || first <= whole,
  );
const fields = {
  name: Name,
  position: z.int().min(0).max(1_000_000),
  active: z.boolean(),
  conditions: z.strictObject({
    ...schema,
    category_id: some(refTo('categories')),
    customer_id: some(foreignId('finance.customer')),
  }),
  targets: Targets.refine(isInOrder, 'The first response must not be due after the resolution.'),
  calendar_id: refTo('calendars'),
  pause_in: Paused.refine((states) => new Set(states).size === states.length, 'Enter each status only once.'),
  warn_percent: z.int().min(1).max(100),
};

export const SlaPolicyInput = input({
  ...fields,
  position: fields.position.optional().describe('Defaults to the end.'),
  active: fields.active.default(true),
  conditions: fields.conditions.default({}),
  pause_in: fields.pause_in.default(['pending', 'on_hold']),
  warn_percent: fields.warn_percent.default(80),
});

export const SlaPolicyChanges = input({
  name: fields.name.optional(),
  position: fields.position.optional(),
  active: fields.active.optional(),
  conditions: fields.conditions.optional(),
  targets: fields.targets.optional(),
  calendar_id: fields.calendar_id.optional(),
  pause_in: fields.pause_in.optional(),
  warn_percent: fields.warn_percent.optional(),
  version,
});

export type SlaPolicyInput = z.output<typeof SlaPolicyInput>;
export type SlaPolicyChanges = z.output<typeof SlaPolicyChanges>;
