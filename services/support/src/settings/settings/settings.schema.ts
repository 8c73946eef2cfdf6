import { input, record, version } from '@suite/chassis/fields';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { settingsActions } from './settings.rules.ts';

const choices = {
  reopen_days: z.int().min(0).max(365),
  share_within_customer: z.boolean(),
  auto_acknowledge: z.boolean(),
  survey: z.boolean(),
  survey_delay_hours: z.int().min(0).max(720),
  token_days: z.int().min(1).max(3650),
};

export const SupportSettings = record({
  reopen_days: choices.reopen_days.describe("Number of days in which a requester's reply reopens a resolved ticket."),
  share_within_customer: choices.share_within_customer.describe(
    'Whether client users of a customer can see and reply to each other’s tickets.',
  ),
  auto_acknowledge: choices.auto_acknowledge.describe('Whether requesters receive an acknowledgment e-mail.'),
  survey: choices.survey.describe('Whether requesters receive a survey after the resolution.'),
  survey_delay_hours: choices.survey_delay_hours,
  token_days: choices.token_days.describe('Number of days that the requester’s link remains valid after closing.'),
  allowed_actions: Actions(settingsActions),
}).meta({ id: 'SupportSettings' });

export const SettingsChanges = input({ ...choices })
  .partial()
  .extend({ version });
