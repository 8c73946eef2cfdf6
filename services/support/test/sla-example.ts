/** Calendar and policy of the SLA example in docs/worked-examples.md, for SLA timer tests. */
import { expect } from '@jest/globals';
import { type Member, setUpFixture } from '@suite/testing';
import { openSupport } from './fixture.ts';

const base = '/api/support-ticket';
const day = [
  ['08:00', '12:00'],
  ['13:00', '17:00'],
];

/** Monday to Thursday 08:00 to 12:00 and 13:00 to 17:00, Friday 08:00 to 14:00, with two holidays at Easter. */
export const exampleHours = {
  timezone: 'Europe/Berlin',
  hours: { 1: day, 2: day, 3: day, 4: day, 5: [['08:00', '14:00']] },
  holidays: [
    { date: '2026-04-03', name: 'Good Friday' },
    { date: '2026-04-06', name: 'Easter Monday' },
  ],
};

/** First response in 2 hours, and resolution in 16 hours for medium and 8 hours for high priority. */
export const exampleTargets = {
  medium: { first_response_minutes: 120, resolution_minutes: 960 },
  high: { first_response_minutes: 120, resolution_minutes: 480 },
};

/**
 * Inserts a policy with the example's hours and targets before the existing ones of a workspace. Returns the policy.
 */
export async function createPolicy(owner: Member, policy: object = {}, calendar: object = {}) {
  const name = `Example ${crypto.randomUUID()}`;
  const calendar_response = await owner.post(`${base}/calendar/store`, { name, ...exampleHours, ...calendar });
  const { status, body } = await owner.post(`${base}/sla-policy/store`, {
    name,
    calendar_id: calendar_response.body.data.id,
    targets: exampleTargets,
    position: 0,
    ...policy,
  });
  expect(status).toBe(201);
  return body.data as { id: string; version: number; calendar_id: string };
}

/** Returns an agent's requests about tickets. */
export function requestsOf(agent: Member) {
  const show = async (id: string) => (await agent.get(`${base}/ticket/show/${id}`)).body.data;
  const sla = async (id: string) => (await agent.get(`${base}/ticket/sla/${id}`)).body.data;
  return {
    show,
    sla,
    /** Opens a ticket of Rita. */
    async open(more: object = {}) {
      const body = { subject: 'Help', description: 'Please.', requester: { name: 'Rita', email: 'rita@example.com' } };
      return (await agent.post(`${base}/ticket/store`, { ...body, ...more })).body.data;
    },
    async update(id: string, body: object) {
      const { status, body: answer } = await agent.post(`${base}/ticket/update/${id}`, body);
      expect([status, answer.code]).toEqual([200, undefined]);
      return answer.data;
    },
    reply: (id: string, more: object = {}) => agent.post(`${base}/ticket/add-reply/${id}`, { body: 'Words', ...more }),
    clockOf: async (id: string, target: string) =>
      (await sla(id)).clocks.findLast((clock: { target: string }) => clock.target === target),
    listed: async (query: string): Promise<string[]> =>
      (await agent.get(`${base}/tickets?${query}`)).body.data.map(({ id }: { id: string }) => id),
  };
}

/** Converts a summer time in the example's zone to UTC. */
export const at = (moment: string) => new Date(`${moment}+02:00`).toISOString();

/** Creation time of the example's ticket: Thursday, 2 April 2026, 15:40 in Berlin. */
export const CREATED = at('2026-04-02T15:40:00');

/** Starts support. Creates a workspace with an agent and the example's policy for each test. */
export async function openWithPolicy() {
  const fixture = await openSupport();
  const office = setUpFixture(fixture.office);
  const agent = setUpFixture(async () => office.member({ name: 'Ann Agent' }));
  const requests = setUpFixture(async () => requestsOf(agent));
  const policy = setUpFixture(() => createPolicy(office.owner));
  return { ...fixture, office, agent, requests, policy };
}
