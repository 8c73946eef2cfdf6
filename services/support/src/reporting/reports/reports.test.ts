import { beforeEach, describe, expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { allPermissions, type Office, openSupport } from '../../../test/fixture.ts';
import { at, requestsOf, createPolicy } from '../../../test/sla-example.ts';
import { announceDueTargets } from '../../tickets/ticket-sla/sla-announcements.ts';

const { serving, office: openOffice, violations } = await openSupport();
const tools = serving.tools as unknown as Parameters<typeof announceDueTargets>[0];
const base = '/api/support-ticket';
let office: Office;
let ann: Office['owner'];
let bob: Office['owner'];
let carl: Office['owner'];
let requests: ReturnType<typeof requestsOf>;
beforeEach(async () => {
  office = await openOffice();
  ann = office.member({ name: 'Ann Agent' });
  bob = office.member({ name: 'Bob Agent' });
  carl = office.member({ kind: 'client', name: 'Carl Client' });
  requests = requestsOf(ann);
  freezeClock(at('2026-04-13T08:00:00'));
  await createPolicy(office.owner);
});

const report = async (query = '', by = office.owner) => {
  const { status, body } = await by.get(`${base}/reports?from=2026-04-13&to=2026-04-15${query}`);
  expect([status, body.code]).toEqual([200, undefined]);
  return body.data;
};
const line = async (key: string | null, query = '') =>
  (await report(query)).lines.find((one: { key: string | null }) => one.key === key);
const categoryOf = async (name: string): Promise<string> =>
  (await ann.get(`${base}/categories?name=${name}`)).body.data[0].id;

/**
 * Creates tickets on two days. Monday: three arrive, Ann resolves the first, the second is overdue, the third is spam.
 * Tuesday: the first is reopened.
 */
async function twoDays() {
  const open = async () =>
    (await carl.post(`${base}/ticket/store`, { subject: 'Help', description: 'Please.' })).body.data.id as string;
  freezeClock(at('2026-04-13T10:00:00'));
  const [first, second, third] = [await open(), await open(), await open()];
  freezeClock(at('2026-04-13T10:30:00'));
  await requests.update(first, { assignee_id: ann.caller.user_id });
  await requests.reply(first);
  freezeClock(at('2026-04-13T11:00:00'));
  await requests.reply(first, { status: 'resolved' });
  await requests.update(third, { status: 'spam' });
  freezeClock(at('2026-04-13T11:30:00'));
  await carl.post(`${base}/ticket/rate/${first}`, { rating: 5, comment: 'Quick.' });
  freezeClock(at('2026-04-14T08:00:00'));
  await announceDueTargets(tools);
  await bob.post(`${base}/ticket/add-reply/${second}`, { body: 'Sorry.' });
  freezeClock(at('2026-04-14T09:00:00'));
  await carl.post(`${base}/ticket/add-reply/${first}`, { body: 'It is back.' });
  await requests.update(first, { assignee_id: bob.caller.user_id });
  freezeClock(at('2026-04-14T10:00:00'));
  await bob.post(`${base}/ticket/add-reply/${first}`, { body: 'Now?', status: 'resolved' });
  freezeClock(at('2026-04-15T08:00:00'));
  return { first, second, third };
}

describe('the report by day', () => {
  test('shows created and resolved tickets, and durations against SLA targets', async () => {
    await twoDays();
    const { lines, total, ...span } = await report();
    expect(span).toEqual({ today: '2026-04-15', from: '2026-04-13', to: '2026-04-15', group_by: 'day' });
    expect(lines).toEqual([
      {
        key: '2026-04-13',
        name: '2026-04-13',
        created: 3,
        resolved: 1,
        reopened: 0,
        reopened_percent: '0',
        backlog: 1,
        first_response: {
          count: 1,
          average_seconds: 1_800,
          median_seconds: 1_800,
          p90_seconds: 1_800,
          within_target_percent: '100',
        },
        resolution: {
          count: 1,
          average_seconds: 3_600,
          median_seconds: 3_600,
          p90_seconds: 3_600,
          within_target_percent: '100',
        },
        breaches: { first_response: 1, resolution: 0, next_response: 0 },
        replies_per_resolution: '2',
        satisfaction: { average: '5', count: 1 },
      },
      expect.objectContaining({ key: '2026-04-14', created: 0, resolved: 1, reopened: 1, backlog: 1 }),
      expect.objectContaining({ key: '2026-04-15', created: 0, resolved: 0, reopened_percent: null, backlog: 1 }),
    ]);
    // Two hours plus five on Monday, 10:00 to 12:00 and 13:00 to 17:00, are 21,600 seconds.
    expect(lines[1].first_response).toMatchObject({ count: 1, average_seconds: 21_600, within_target_percent: '0' });
    // An hour on Monday and an hour on Tuesday. The wait in between does not count.
    expect(lines[1].resolution).toMatchObject({ average_seconds: 7_200 });
    expect(lines[1].replies_per_resolution).toBe('1');
    expect(total).toMatchObject({
      created: 3,
      resolved: 2,
      reopened: 1,
      reopened_percent: '50',
      backlog: 1,
      first_response: { count: 2, average_seconds: 11_700, median_seconds: 11_700, p90_seconds: 19_620 },
      resolution: { count: 2, average_seconds: 5_400, within_target_percent: '100' },
      replies_per_resolution: '1.5',
      satisfaction: { average: '5', count: 1 },
    });
    expect(await violations(office)).toEqual([]);
  });

  test('does not change for past days', async () => {
    const { first, second, third } = await twoDays();
    const before = (await report()).lines.slice(0, 2);
    const category_id = await categoryOf('Billing');
    for (const id of [first, second]) await requests.update(id, { category_id, priority: 'low', assignee_id: null });
    await requests.update(first, { status: 'open' });
    await requests.update(third, { status: 'open' });
    await requests.update(second, { status: 'resolved' });
    await ann.post(`${base}/ticket/merge/${third}`, { into: first });
    const after = await report();
    expect(after.lines.slice(0, 2)).toEqual(before);
    expect(after.lines[2]).toMatchObject({ created: 0, resolved: 1, reopened: 1, backlog: 1 });
    const ofMonday = (await ann.get(`${base}/reports?from=2026-04-13&to=2026-04-13&group_by=category`)).body.data;
    expect(ofMonday.lines.map(({ key, resolved }: Record<string, unknown>) => [key, resolved])).toContainEqual([
      null,
      1,
    ]);
    expect(await violations(office)).toEqual([]);
  });

  test('assigns events around midnight to the day in the caller’s zone', async () => {
    freezeClock(at('2026-04-14T00:30:00'));
    await requests.open();
    freezeClock(at('2026-04-15T12:00:00'));
    const created = async (by: Office['owner']) =>
      (await report('', by)).lines.map((one: { created: number }) => one.created);
    expect(await created(ann)).toEqual([0, 1, 0]);
    expect(await created(office.member({ timezone: 'America/New_York' }))).toEqual([1, 0, 0]);
  });

  test('excludes a deleted ticket', async () => {
    const { first } = await twoDays();
    await ann.post(`${base}/ticket/delete/${first}`, {});
    expect((await report()).total).toMatchObject({ created: 2, resolved: 0, reopened: 0, satisfaction: { count: 0 } });
    expect(await violations(office)).toEqual([]);
  });
});

describe('the report by group', () => {
  test('counts, by agent, resolutions for assignees and replies for authors', async () => {
    await twoDays();
    expect(await line(ann.caller.user_id, '&group_by=agent')).toMatchObject({
      name: 'Ann Agent',
      resolved: 1,
      reopened: 1,
      first_response: { count: 1, average_seconds: 1_800 },
      satisfaction: { average: '5' },
    });
    expect(await line(bob.caller.user_id, '&group_by=agent')).toMatchObject({
      resolved: 1,
      reopened: 0,
      first_response: { count: 1, average_seconds: 21_600 },
    });
    expect(await line(null, '&group_by=agent')).toMatchObject({
      name: 'Nobody',
      backlog: 1,
      breaches: { first_response: 1 },
    });
  });

  test('has a line for each category, priority or channel with activity', async () => {
    await twoDays();
    freezeClock(at('2026-04-15T09:00:00'));
    const category_id = await categoryOf('Billing');
    await requests.open({ category_id, priority: 'high' });
    const names = async (group: string) =>
      (await report(`&group_by=${group}`)).lines.map(({ name, created }: Record<string, unknown>) => [name, created]);
    expect(await names('category')).toEqual([
      ['Billing', 1],
      ['No category', 3],
    ]);
    expect(await names('priority')).toEqual([
      ['high', 1],
      ['medium', 3],
    ]);
    expect(await names('channel')).toEqual([
      ['api', 1],
      ['portal', 3],
    ]);
    const move_to = await categoryOf('General');
    await office.owner.post(`${base}/category/delete/${category_id}`, { move_to });
    expect(await names('category')).toContainEqual(['General', 1]);
  });
});

describe('a report', () => {
  test('is available to agents with access to all tickets and the report permission', async () => {
    const forbidden = [
      carl,
      office.member({ kind: 'vendor' }),
      office.member({ record_scopes: { ticket: 'own' } }),
      office.member({ record_scopes: { ticket: 'team' } }),
      ...['report.view', 'ticket.view'].map((missing) =>
        office.member({ can: allPermissions.filter((permission) => permission !== missing) }),
      ),
    ];
    for (const by of forbidden) expect((await by.get(`${base}/reports`)).status).toBe(403);
  });

  test('is limited to its own workspace', async () => {
    await twoDays();
    const elsewhere = await openOffice();
    expect((await report('', elsewhere.owner)).total).toMatchObject({ created: 0, resolved: 0, backlog: 0 });
  });

  test('covers the last 30 days by default, and no future days', async () => {
    freezeClock(at('2026-04-15T12:00:00'));
    const { from, to, lines } = (await ann.get(`${base}/reports`)).body.data;
    expect([from, to, lines.length]).toEqual(['2026-03-17', '2026-04-15', 30]);
    expect((await ann.get(`${base}/reports?from=2026-04-14&to=2026-12-31`)).body.data.to).toBe('2026-04-15');
    const forbidden = async (query: string) => Object.keys((await ann.get(`${base}/reports?${query}`)).body.errors);
    expect(await forbidden('from=2026-04-10&to=2026-04-09')).toEqual(['to']);
    expect(await forbidden('from=2026-04-16')).toEqual(['from']);
    expect(await forbidden('from=2024-01-01')).toEqual(['from']);
    expect(await forbidden('group_by=team')).toEqual(['group_by']);
    expect(await forbidden('chart=pie')).toEqual(['chart']);
  });
});

describe('an image', () => {
  const picture = (accept: string, query: string) => ann.get(`${base}/reports?${query}`, { headers: { accept } });

  test.each(['tickets', 'first_response', 'resolution', 'within_target', 'satisfaction'])(
    'is drawn for %s',
    async (chart) => {
      await requests.open();
      for (const group of ['day', 'agent']) {
        const svg = await picture('image/svg+xml', `chart=${chart}&group_by=${group}`);
        expect(svg.headers.get('content-type')).toContain('image/svg+xml');
        expect(Buffer.from(svg.content).toString()).toMatch(/^<svg /);
      }
    },
  );

  test('is also available as PNG', async () => {
    const png = await picture('image/png', '');
    expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png']);
  });
});
