/**
 * Factories for partners with their badges, and their example calls. `$revoked_partner` is the ID of a shared record,
 * and `$revoked_partner!` the ID of a record created for the call.
 */
import type { ExampleCall, ExampleFactory } from '../recorder/recorder.ts';

const partner = { name: 'Nadir Bicycles', tier: 'gold', since: '2024-05-01', url: 'https://nadir.example' };

export const partners: Record<string, ExampleFactory> = {
  partner: (recorder, serial) =>
    recorder.call('partners.create', { body: { ...partner, name: `Nadir Bicycles ${serial}` } }),
  revoked_partner: async (recorder, serial) => {
    const { id } = await recorder.call('partners.create', { body: { ...partner, name: `Former partner ${serial}` } });
    return await recorder.call('partners.revoke', { path: { id } });
  },
};

export const partnerCalls: Record<string, ExampleCall> = {
  'partners.create': { body: { ...partner, verified: true } },
  'partners.update': { body: { tier: 'platinum' } },
  'partners.remove': { path: { id: '$revoked_partner!' } },
  'badges.show': { as: '', path: { token: '$partner.token' } },
};
