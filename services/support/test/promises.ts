/** The calendar and the policy of the specification's example, for tests that watch clocks. */
import { expect } from '@jest/globals';
import type { Member } from '@suite/testing';

const base = '/api/support-ticket';
const day = [
  ['08:00', '12:00'],
  ['13:00', '17:00'],
];

/** Hours and holidays of the example. */
export const exampleHours = {
  timezone: 'Europe/Berlin',
  hours: { mon: day, tue: day, wed: day, thu: day, fri: [['08:00', '14:00']] },
  holidays: [
    { date: '2026-04-03', name: 'Good Friday' },
    { date: '2026-04-06', name: 'Easter Monday' },
  ],
};

/** What the example promises. */
export const exampleTargets = {
  medium: { first_response_minutes: 120, resolution_minutes: 960 },
  high: { first_response_minutes: 120, resolution_minutes: 480 },
};

/** Puts a policy of one's own before those of a workspace. Returns the policy. */
export async function promise(owner: Member, policy: object = {}, calendar: object = {}) {
  const name = `Example ${crypto.randomUUID()}`;
  const made = await owner.post(`${base}/calendar/store`, { name, ...exampleHours, ...calendar });
  const { status, body } = await owner.post(`${base}/sla-policy/store`, {
    name,
    calendar_id: made.body.data.id,
    targets: exampleTargets,
    position: 0,
    ...policy,
  });
  expect(status).toBe(201);
  return body.data as { id: string; version: number; calendar_id: string };
}
