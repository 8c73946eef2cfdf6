import { beforeAll, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openCrm, type Shop } from '../../../test/fixture.ts';
import { formSettings, visitorsOf } from '../../../test/visitor.ts';

const { serving, platform, shop: openShop } = await openCrm();
let shop: Shop;
let otherShop: Shop;
beforeAll(async () => {
  [shop, otherShop] = [await openShop(), await openShop()];
});
const { widget, load, filled, send, submit, wait, counters } = visitorsOf(serving, () => shop);

describe('a visitor who submits a form', () => {
  test('has 200 of 1,000 forms accepted an hour, and the next form as before', async () => {
    const asked = await widget();
    const form = await load(asked);
    wait(5_000);
    const all: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const replies = await runConcurrently(50, (at) =>
        send(filled(form, { name: `Bot ${round * 50 + at}`, email: `b${round}-${at}@bot.example` })),
      );
      all.push(...replies.map(({ status }) => status));
    }
    expect(all.filter((status) => status === 201)).toHaveLength(200);
    expect(all.filter((status) => status === 429)).toHaveLength(800);
    const [{ made } = { made: 0 }] =
      await serving.sql`SELECT count(*)::int AS made FROM leads WHERE workspace_id = ${shop.workspace}`;
    expect(made).toBe(200);
    expect(await counters(asked)).toMatchObject({ submitted: 200, refused: 800 });
    expect((await submit(await widget(), { name: 'Ada' })).status).toBe(201);
  });

  test('gets "no such field" for names of built-in object properties', async () => {
    const form = await load(await widget());
    wait(5_000);
    const rejected = async (fields: string) => {
      const { status, body } = await send(filled(form, JSON.parse(fields)));
      return [status, Object.keys(body.errors)];
    };
    expect(await rejected('{"name":"Ada","constructor":"y","toString":"z"}')).toEqual([
      422,
      expect.arrayContaining(['fields.constructor', 'fields.toString']),
    ]);
    expect(await rejected('{"name":"Ada","__proto__":"x"}')).toEqual([422, ['fields.__proto__']]);
  });

  test.each([
    ['a text in a text in a text …', `&${'amp;'.repeat(1_000)}lt;script&gt;`],
    ['tags in tags', `${'<scr'.repeat(300)}<script>${'ipt>'.repeat(300)}`],
    ['a tag written as text', '&lt;img src=x onerror=alert(1)&gt;'],
  ])('stores no HTML tag in the lead: %s', async (_, message) => {
    const email = `${crypto.randomUUID()}@example.com`;
    expect((await submit(await widget(), { name: 'Eve', email, message })).status).toBe(201);
    const [note] = await serving.sql`
      SELECT comment FROM discussions JOIN leads ON leads.id = discussions.lead_id WHERE leads.email = ${email}`;
    expect(note!['comment']).not.toMatch(/<\s*(?:script|img)/i);
  });

  test('finds no form of a workspace with an ended plan until the plan is renewed', async () => {
    const asked = await widget();
    const form = await load(asked);
    wait(5_000);
    platform.workspaces.set(shop.workspace, { active: true, modules: [] });
    const sent = filled(form, { name: 'Ada' });
    expect(await send(sent)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await serving.anonymous.get(`/api/widget/${asked.token}`)).status).toBe(404);
    expect((await serving.anonymous.get(`/api/widget/${asked.token}/embed.js`)).status).toBe(404);
    platform.workspaces.delete(shop.workspace);
    expect((await send(sent)).status).toBe(201);
  });

  test('gets either a success or a 404 while the token is revoked', async () => {
    const asked = await widget();
    const form = await load(asked);
    wait(5_000);
    const [revoked, ...replies] = await runConcurrently(21, (at) =>
      at === 0 ? shop.owner.post(`/api/widget/revoke/${asked.id}`, {}) : send(filled(form, { name: `Ada ${at}` })),
    );
    expect(revoked!.status).toBe(200);
    const taken = replies.filter(({ status }) => status === 201).length;
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(20 - taken);
    expect(await counters(asked)).toMatchObject({ submitted: taken });
  });

  test('finds the same form with the previous token only during the overlap', async () => {
    const asked = await widget();
    const form = await load(asked);
    wait(5_000);
    await shop.owner.post(`/api/widget/rotate/${asked.id}`, { overlap_hours: 1 });
    expect((await send(filled(form, { name: 'Ada' }))).status).toBe(201);
    wait(3_600_000);
    expect((await send(filled(form, { name: 'Ada' }))).status).toBe(404);
  });
});

describe('a widget of another workspace', () => {
  test('uses no pipeline, stage, owner, source or label of this workspace', async () => {
    const source = (await shop.owner.post('/api/source/create', { name: 'Web' })).body.data.id;
    const stage = shop.leadStages['new'] ?? Object.values(shop.leadStages)[0];
    const [owner_id] = [shop.hire({ name: 'Robin' })];
    for (const foreign of [
      { pipeline_id: shop.pipeline.id },
      { stage_id: stage },
      { owner_id },
      { source_id: source },
      { label_ids: [crypto.randomUUID()] },
    ]) {
      const { status, body } = await otherShop.owner.post('/api/widget/create', { ...formSettings, ...foreign });
      expect([status, Object.keys(body.errors ?? {}).map((name) => name.split('.')[0])]).toEqual([
        422,
        Object.keys(foreign),
      ]);
    }
  });

  test('is not accessible to clients, vendors and users without the permission', async () => {
    const { id } = await widget();
    for (const kind of ['client', 'vendor'] as const) {
      const outsider = shop.member({ kind });
      const tries = [
        await outsider.get(`/api/widget/show/${id}`),
        await outsider.post(`/api/widget/rotate/${id}`, {}),
        await outsider.post(`/api/widget/revoke/${id}`, {}),
      ];
      expect(sortedStatuses(tries)).toEqual([404, 404, 404]);
      expect((await outsider.get('/api/widgets')).body.data).toEqual([]);
    }
    for (const path of ['rotate', 'revoke', 'update'])
      expect((await otherShop.owner.post(`/api/widget/${path}/${id}`, {})).status).toBe(404);
  });
});
