/** Support settings: reopening, automatic e-mails, surveys and links. */
import { change } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import { can, ok } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { SettingsChanges, SupportSettings } from './settings.schema.ts';
import { settingsActions } from './settings.rules.ts';

const ADDITION = 'Each workspace configures the reopening period of tickets and the messages to requesters.';

export const show = query('GET /api/support-ticket/settings', {
  summary: 'Get the support settings',
  description:
    'Returns the rules for reopening tickets, acknowledgment e-mails, surveys and public links. New workspaces have default values.',
  addition: ADDITION,
  access: can('workspace.update'),
  reply: ok(SupportSettings),
  async handle({ db }) {
    const settings = await db.settings.findFirst();
    if (!settings) throw NotFound();
    return settings;
  },
});

export const update = command('POST /api/support-ticket/settings/update', {
  summary: 'Update the support settings',
  description:
    'Updates the rules for reopening, acknowledgment e-mails, surveys and public links. Resolved tickets keep their closing day.',
  addition: ADDITION,
  access: settingsActions.can('update'),
  body: SettingsChanges,
  reply: ok(SupportSettings),
  async handle({ db, body: { version: _, ...changes }, expect }) {
    const settings = await db.settings.findFirst();
    if (!settings) throw NotFound();
    return await change(db.settings, settings.id, changes, expect);
  },
});
