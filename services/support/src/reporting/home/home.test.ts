import { beforeEach, describe, expect, test } from '@jest/globals';
import { openSupport, type Office } from '../../../test/fixture.ts';

const { office: openOffice, violations } = await openSupport();
const base = '/api/support-ticket';
const open = async (by: Office['owner']) =>
  (await by.post(`${base}/ticket/store`, { subject: 'Help', description: 'Please.' })).body.data;

describe('home and the pick lists', () => {
  let fresh: Office;
  let worker: Office['owner'];
  let asker: Office['owner'];
  /** Opens three tickets of a client: one pending with tag and team, one assigned to Ann, one resolved and rated. */
  beforeEach(async () => {
    fresh = await openOffice();
    [worker, asker] = [fresh.member({ name: 'Ann' }), fresh.member({ kind: 'client', name: 'Carl' })];
    const [pending, assigned, resolved] = [await open(asker), await open(asker), await open(asker)];
    const update = (id: string, body: object) => worker.post(`${base}/ticket/update/${id}`, body);
    await update(pending.id, { status: 'pending', tags: ['vip'], team: 'Blue' });
    await update(assigned.id, { assignee_id: worker.caller.user_id });
    await update(resolved.id, { status: 'resolved' });
    await asker.post(`${base}/ticket/rate/${resolved.id}`, { rating: 4 });
  });
  const homeOf = async (by: Office['owner']) => (await by.get(`${base}/home`)).body.data;
  const listsOf = async (by: Office['owner']) => (await by.get(`${base}/get-request-data`)).body.data;

  test('count the tickets of agents by status, assignee and day', async () => {
    const home = await homeOf(worker);
    expect(home).toMatchObject({
      counts: { new: 0, open: 1, pending: 1, on_hold: 0, spam: 0, resolved_today: 1, closed_today: 0 },
      unassigned: 1,
      mine: { open: 1, pending: 0 },
      satisfaction: { average: '4', count: 1 },
    });
    expect(home.created_by_day).toHaveLength(14);
    expect(home.created_by_day.at(-1).created).toBe(3);
    expect(home.recent.length).toBeGreaterThan(0);
  });

  test('count as many tickets as the lists, including tickets of agents', async () => {
    const own = await open(worker);
    await fresh.owner.post(`${base}/ticket/update/${own.id}`, { assignee_id: worker.caller.user_id });
    await open(worker);
    for (const by of [worker, fresh.owner]) {
      const { counts, unassigned, mine } = await homeOf(by);
      const listed = async (filter: string) => (await by.get(`${base}/tickets?${filter}`)).body.meta.total;
      expect([counts.new, unassigned, mine.open]).toEqual([
        await listed('status=new'),
        await listed('view=unassigned'),
        await listed('view=mine'),
      ]);
    }
    expect(await violations(fresh)).toEqual([]);
  });

  test("show an agent's own ticket to colleagues, who handle it, and not to the agent", async () => {
    const own = await open(worker);
    await fresh.owner.post(`${base}/ticket/update/${own.id}`, { priority: 'high' });
    const showsOwn = async (by: Office['owner']) => {
      const { recent, due_next } = await homeOf(by);
      return [recent, due_next].map((rows) => rows.some((row: { ticket_id: string }) => row.ticket_id === own.id));
    };
    expect(await showsOwn(worker)).toEqual([false, false]);
    expect(await showsOwn(fresh.owner)).toEqual([true, true]);
    expect(await violations(fresh)).toEqual([]);
  });

  test('count the tickets of a requester by public status', async () => {
    const home = await homeOf(asker);
    expect(home.counts).toEqual({ open: 1, waiting_for_you: 1, resolved: 1, closed: 0 });
    expect(home).not.toHaveProperty('unassigned');
  });

  test('offer tags, teams, policies and agents to agents only', async () => {
    const lists = await listsOf(worker);
    expect(lists).toMatchObject({
      tags: ['vip'],
      teams: ['Blue'],
      side: 'agent',
      sla_policies: [{ id: expect.any(String), name: 'Standard' }],
    });
    expect(lists.agents).toContainEqual({ id: worker.caller.user_id, name: 'Ann', open_count: 1 });
    const forRequester = await listsOf(asker);
    expect(forRequester).toMatchObject({ priorities: ['low', 'medium', 'high'], side: 'requester' });
    for (const field of ['tags', 'teams', 'sla_policies', 'agents']) expect(forRequester).not.toHaveProperty(field);
  });
});
