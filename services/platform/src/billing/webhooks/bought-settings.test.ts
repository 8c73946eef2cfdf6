import { expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { deliver, subscribeCustomer } from '../../../test/customers.ts';
import { sellPlans } from '../../../test/plans.ts';
import { startFakeStripe } from '../../../test/stripe.ts';
import { openInstance } from '../../../test/white-label.ts';
import { platform as contents } from '../../platform.ts';

const platform = await start(contents);
const stripe = await startFakeStripe();

test('a bought workspace has the settings of its checkout', async () => {
  await sellPlans(platform);
  const northwind = await openInstance(platform);
  const settings = { base_currency: 'GBP', country: 'GB', fiscal_year_start: '04-06', week_start: 7 };
  const { session, ref } = await subscribeCustomer(stripe, northwind, {}, settings);
  await deliver(platform, stripe.event('checkout.session.completed', session));
  const [bought] = await platform.sql`SELECT workspace_id FROM subscriptions WHERE provider_ref = ${ref}`;
  const { workspace_id } = bought!;
  const [workspace] = await platform.sql`
    SELECT currency AS base_currency, country, fiscal_year_start, week_start FROM workspaces WHERE id = ${workspace_id}`;
  expect(workspace).toEqual(settings);
  const [event] = await platform.sql`
    SELECT data FROM journal_events WHERE workspace_id = ${workspace_id} AND type = 'platform.workspace.provisioned'`;
  expect(event!.data).toMatchObject({ currency: 'GBP', fiscal_year_start: '04-06', timezone: 'Europe/London' });
});
