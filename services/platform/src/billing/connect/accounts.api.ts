/** The payout account of a white-label instance at the payment provider, which receives its margin. */
import { command } from '../../operations.ts';
import { NotFound, TooManyRequests } from '@suite/chassis/faults';
import { forInstances, ok, upserted } from '@suite/chassis/operations';
import { assertOwnAddress, UrlNotAllowed } from '../instances/address.ts';
import { providerFaults } from '../payments/provider.ts';
import { ConnectDisabled, CountryFixed } from './account.rules.ts';
import { ConnectStatus, Onboarding, OnboardingInput, StatusQuery } from './account.schema.ts';
import { onboard as openAccount, readCurrentAccount, refreshAccount, toConnectStatus } from './account.ts';

export const onboard = command('POST /api/wl/connect/onboard', {
  summary: 'Connect a payout account',
  description:
    'Creates the payout account, once, and returns a link to complete it. The link works once, for a few minutes, and is not shown again. Allows ten links per hour.',
  access: forInstances,
  body: OnboardingInput,
  reply: upserted(Onboarding),
  faults: [...providerFaults, CountryFixed, ConnectDisabled, UrlNotAllowed, TooManyRequests],
  async prepare({ body, caller, read, write }) {
    await read((db) => assertOwnAddress(db, { return_url: body.return_url, refresh_url: body.refresh_url }));
    return await openAccount({ read, write, instance: caller.instance! }, body);
  },
  async handle({ db, prepared: { created, link } }) {
    const account = await readCurrentAccount(db);
    if (!account) throw NotFound();
    const { provider_account_id, status, requirements } = toConnectStatus(account);
    const details = { onboarding_url: link.url, onboarding_expires_at: link.expires_at, requirements };
    return { created, record: { provider_account_id: provider_account_id!, status, ...details } };
  },
});

export const status = command('GET /api/wl/connect/status', {
  summary: 'Get the payout account',
  description:
    'Returns the last known status of the payout account. Send `refresh=true` to request it from the payment provider. `status` is `none` without an account.',
  access: forInstances,
  query: StatusQuery,
  reply: ok(ConnectStatus),
  faults: [...providerFaults, TooManyRequests],
  async prepare({ query, caller, read, write }) {
    if (query.refresh === 'true') await refreshAccount({ read, write, instance: caller.instance! });
  },
  handle: async ({ db }) => toConnectStatus(await readCurrentAccount(db)),
});
