/**
 * Accounting settings: rules for approvals, credit limits and returns. Currency, time zone and fiscal year belong to
 * the workspace.
 */
import { can, ok } from '@suite/chassis/operations';
import { accounting } from '../../operations.ts';
import { booksOf, viewBooks } from './books.ts';
import { Settings, SettingsChanges } from './settings.schema.ts';
import { settingsActions } from './settings.rules.ts';

const ADDITION = 'Each workspace configures dual approval, credit limits and the timing of returns.';

const { query, command } = accounting;

export const show = query('GET /api/accounting/settings', {
  summary: 'Get the accounting settings',
  description:
    'Returns base currency, time zone and start of the fiscal year, and the rules for approvals, credit limits and returns.',
  addition: ADDITION,
  access: can('ledger.view'),
  reply: ok(Settings),
  handle: ({ db, caller }) => viewBooks(db, caller),
});

export const update = command('POST /api/accounting/settings/update', {
  summary: 'Update the accounting settings',
  description:
    'Updates the rules for approvals, credit limits and returns. Omitted fields stay unchanged. Changes apply to future approvals, postings and returns. Base currency, time zone and fiscal year change with `PUT /api/workspace/update`.',
  addition: ADDITION,
  // Chosen: the specification names no permission for the settings. Users who may remove bank accounts manage the
  // accounting.
  access: settingsActions.can('update'),
  body: SettingsChanges,
  reply: ok(Settings),
  handle: async ({ db, caller, body }) => {
    const { base_currency: _, ...books } = await booksOf(db, caller);
    const {
      four_eyes = books.four_eyes,
      credit_limit = books.credit_limit,
      return_effects_on = books.return_effects_on,
    } = body;
    await db.books.updateMany({ data: { four_eyes, credit_limit, return_effects_on } });
    return await booksOf(db, caller);
  },
});
