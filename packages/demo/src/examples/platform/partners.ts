/** Factories for partners with their badges, and their example calls. */
import type { ExampleCall, Recipe } from '../bench/bench.ts';

const partner = { name: 'Nadir Bicycles', tier: 'gold', since: '2024-05-01', url: 'https://nadir.example' };

export const partners: Record<string, Recipe> = {
  partner: (bench, serial) => bench.call('partners.create', { body: { ...partner, name: `Nadir Bicycles ${serial}` } }),
  revoked_partner: async (bench, serial) => {
    const { id } = await bench.call('partners.create', { body: { ...partner, name: `Former partner ${serial}` } });
    return await bench.call('partners.revoke', { path: { id } });
  },
};

export const partnerCalls: Record<string, ExampleCall> = {
  'partners.create': { body: { ...partner, verified: true } },
  'partners.update': { body: { tier: 'platinum' } },
  'partners.remove': { path: { id: '$revoked_partner!' } },
  'badges.show': { as: '', path: { token: '$partner.token' } },
};
