import { choice, input } from '@suite/chassis/fields';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { settingsActions } from './settings.rules.ts';

/** Settings of a workspace's books. */
export const Settings = z
  .object({
    base_currency: z.string(),
    timezone: z.string(),
    fiscal_year_start: z.string().describe('First day of the fiscal year, as `MM-DD`.'),
    four_eyes: z
      .boolean()
      .describe('Whether a revenue or an expense must be approved by a user other than its author.'),
    credit_limit: choice('warn', 'block').describe("Effect of an invoice over the customer's credit limit."),
    return_effects_on: choice('complete', 'approve').describe(
      'Event at which a return moves goods, issues the note and posts the entry.',
    ),
    allowed_actions: Actions(settingsActions),
  })
  .meta({ id: 'AccountingSettings' });

export const SettingsChanges = input({
  four_eyes: z.boolean().optional(),
  credit_limit: choice('warn', 'block').optional(),
  return_effects_on: choice('complete', 'approve').optional(),
});
