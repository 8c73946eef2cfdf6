/**
 * Factories for calendars and policies of the support desk, and their example calls. `$calendar` is the ID of a record
 * that calls share.
 */
import type { ExampleCall, ExampleFactory } from '../recorder/recorder.ts';

const hours = {
  1: [
    ['08:00', '12:00'],
    ['13:00', '17:00'],
  ],
  5: [['08:00', '14:00']],
};
const targets = { high: { first_response_minutes: 60, resolution_minutes: 480 } };

export const slaTargets: Record<string, ExampleFactory> = {
  calendar: (recorder, serial) =>
    recorder.call('calendars.create', { body: { name: `Workshop ${serial}`, timezone: 'Europe/Berlin', hours } }),
  sla_policy: (recorder, serial) =>
    recorder.call('slaPolicies.create', { body: { name: `Gold ${serial}`, calendar_id: '$calendar', targets } }),
};

export const slaTargetCalls: Record<string, ExampleCall> = {
  'calendars.create': { body: { name: 'Workshop', timezone: 'Europe/Berlin', hours } },
  'calendars.update': { body: { holidays: [{ date: '2026-12-25', name: 'Christmas' }] } },
  'slaPolicies.create': { body: { name: 'Gold', calendar_id: '$calendar', conditions: { tags: ['vip'] }, targets } },
  'slaPolicies.update': { body: { position: 0, warn_percent: 75 } },
  'ticketSla.apply': { path: { id: '$sla_policy' }, body: {} },
};
