import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, sortedStatuses, runConcurrently } from '@suite/testing';
import { openCrm, type Shop } from '../../../test/fixture.ts';

const { serving, shop: openShop } = await openCrm();
let shop: Shop;
let ids: string[];

const NAMES = ['A', 'B', 'C', 'D', 'E', 'F'];
beforeEach(async () => {
  shop = await openShop();
  ids = [];
  for (const name of NAMES.toReversed()) {
    ids.unshift((await shop.owner.post('/api/lead/create', { name })).body.data.id);
  }
});

const move = (id: string, stage: string, position?: number, by: Member = shop.owner) =>
  by.post('/api/lead/lead-stage-update', { lead_id: id, stage_id: shop.leadStages[stage], position });
const columns = async (by: Member = shop.owner) =>
  (await by.post('/api/lead/leadboard', { per_column: 100 })).body.data.columns;
const column = async (stage: string, by: Member = shop.owner) => {
  const { leads } = (await columns(by)).find(({ id }: { id: string }) => id === shop.leadStages[stage]);
  return leads.map(({ name, position }: { name: string; position: number }) => `${position} ${name}`);
};

describe('a card', () => {
  test('is placed on top when new or moved without a position', async () => {
    expect(await column('new')).toEqual(['0 A', '1 B', '2 C', '3 D', '4 E', '5 F']);
    await move(ids[4]!, 'contacted');
    await move(ids[2]!, 'contacted');
    expect(await column('contacted')).toEqual(['0 C', '1 E']);
    expect(await column('new')).toEqual(['0 A', '1 B', '2 D', '3 F']);
  });

  test.each([
    [0, ['0 D', '1 A', '2 B', '3 C', '4 E', '5 F']],
    [1, ['0 A', '1 D', '2 B', '3 C', '4 E', '5 F']],
    [3, ['0 A', '1 B', '2 C', '3 D', '4 E', '5 F']],
    [5, ['0 A', '1 B', '2 C', '3 E', '4 F', '5 D']],
    [99, ['0 A', '1 B', '2 C', '3 E', '4 F', '5 D']],
  ])('has position %i after it is dragged there', async (position, expected) => {
    const { body } = await move(ids[3]!, 'new', position);
    expect(await column('new')).toEqual(expected);
    expect(body.data.position).toBe(Math.min(position, 5));
  });

  test('changes no other card when it is moved', async () => {
    await move(ids[5]!, 'new', 1);
    const versions = await serving.sql`SELECT name FROM leads WHERE workspace_id = ${shop.workspace} AND version > 1`;
    expect(versions).toEqual([{ name: 'F' }]);
  });

  test('is unchanged when moved to its own column without a position', async () => {
    const { body } = await move(ids[3]!, 'new');
    expect(body.data).toMatchObject({ position: 3, version: 1 });
    const shown = (await shop.owner.get(`/api/lead/show/${ids[3]}`)).body.data;
    expect(shown.timeline).toHaveLength(1);
  });

  test('has a position only among the first 1,000 cards of its column', async () => {
    await serving.sql`
      INSERT INTO leads (id, workspace_id, name, pipeline_id, stage_id, owner_id, rank)
      SELECT gen_random_uuid(), workspace_id, 'Above', pipeline_id, stage_id, owner_id, rank - place
      FROM leads, generate_series(1, 995) AS place WHERE id = ${ids[0]}`;
    const placeOf = async (id: string) => (await shop.owner.get(`/api/lead/show/${id}`)).body.data.position;
    expect(await Promise.all([3, 4, 5].map((at) => placeOf(ids[at]!)))).toEqual([998, 999, null]);
    expect((await move(ids[5]!, 'new', 5_000)).body.data.position).toBeNull();
  });

  test('can be moved to the same position repeatedly', async () => {
    for (let round = 0; round < 30; round += 1) {
      const card = ids[round % 2 ? 4 : 5]!;
      expect(await move(card, 'new', 1)).toMatchObject({ status: 200, body: { data: { position: 1 } } });
    }
    expect(await column('new')).toEqual(['0 A', '1 E', '2 F', '3 B', '4 C', '5 D']);
  });

  test('gets a short rank between cards that were stored with long ranks', async () => {
    const digits = `0.${'1'.repeat(4_000)}`;
    await serving.sql`UPDATE leads SET rank = ${digits}::numeric WHERE id = ${ids[1]!}`;
    await serving.sql`UPDATE leads SET rank = ${`${digits}1`}::numeric WHERE id = ${ids[2]!}`;
    const before = await column('new');
    const position = before.findIndex((card: string) => card.endsWith(' B'));
    expect((await move(ids[4]!, 'new', position)).body.data.position).toBe(position);
    const [{ most, versions }] = (await serving.sql`
      SELECT max(scale(trim_scale(rank)))::int AS most, array_agg(DISTINCT name) FILTER (WHERE version > 1) AS versions
      FROM leads WHERE workspace_id = ${shop.workspace}`) as [{ most: number; versions: string[] }];
    expect(most).toBeLessThanOrEqual(24);
    expect(versions).toEqual(['B', 'C', 'E']);
    expect((await column('new')).indexOf(`${position} E`)).toBe(position);
  });

  test('is placed below the card above it that the user sees in a filtered column', async () => {
    const sales = shop.member({ user_id: shop.hire(), record_scopes: { lead: 'own' } });
    for (const id of [ids[1]!, ids[3]!, ids[5]!]) {
      expect(await shop.owner.post(`/api/lead/update/${id}`, { owner_id: sales.caller.user_id })).toMatchObject({
        status: 200,
      });
    }
    expect(await column('new', sales)).toEqual(['0 B', '1 D', '2 F']);
    expect((await move(ids[5]!, 'new', 1, sales)).body.data.position).toBe(1);
    expect((await shop.owner.get(`/api/lead/show/${ids[5]}`)).body.data.position).toBe(2);
    expect(await column('new', sales)).toEqual(['0 B', '1 F', '2 D']);
    expect(await column('new')).toEqual(['0 A', '1 B', '2 F', '3 C', '4 D', '5 E']);
    expect(await move(ids[0]!, 'new', 0, sales)).toMatchObject({
      status: 422,
      body: { errors: { lead_id: [expect.any(String)] } },
    });
  });

  test('needs a reason when moved to lost, and leaves the board when converted', async () => {
    const reasonless = await move(ids[0]!, 'lost');
    expect(reasonless).toMatchObject({ status: 422, body: { errors: { lost_reason: [expect.any(String)] } } });
    await shop.owner.post(`/api/lead/convert-to-deal/${ids[1]}`, {});
    expect(await column('new')).toEqual(['0 A', '1 C', '2 D', '3 E', '4 F']);
    expect((await columns())[0]).toMatchObject({ count: 5, sum: '0.00' });
  });
});

describe('cards that are moved concurrently', () => {
  test('have one position each, in columns without gaps', async () => {
    const stages = ['new', 'contacted', 'qualified'];
    // Fixed cards, so that many cards are moved between the same two.
    for (const stage of stages) {
      for (const name of ['X', 'Y'])
        await shop.owner.post('/api/lead/create', { name, stage_id: shop.leadStages[stage] });
    }
    const replies = await runConcurrently(24, (at) => move(ids[at % 6]!, stages[(at * 7) % 3]!, at % 2));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    const all = (await columns()).map(({ leads }: { leads: { name: string; position: number }[] }) => leads);
    for (const leads of all)
      expect(leads.map(({ position }: { position: number }) => position)).toEqual([...leads.keys()]);
    expect(
      all
        .flat()
        .map(({ name }: { name: string }) => name)
        .toSorted()
        .join(''),
    ).toBe('ABCDEFXXXYYY');
    const ranks = await serving.sql`
      SELECT stage_id, rank FROM leads WHERE workspace_id = ${shop.workspace} GROUP BY 1, 2 HAVING count(*) > 1`;
    expect(ranks).toEqual([]);
  });

  test('get unique positions when they are moved to the same position', async () => {
    for (const name of ['X', 'Y']) {
      await shop.owner.post('/api/lead/create', { name, stage_id: shop.leadStages['contacted'] });
    }
    const replies = await runConcurrently(6, (at) => move(ids[at]!, 'contacted', 1));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    const ranks =
      await serving.sql`SELECT rank FROM leads WHERE stage_id = ${shop.leadStages['contacted']} ORDER BY rank`;
    expect(new Set(ranks.map(({ rank }) => rank)).size).toBe(8);
    const names = await column('contacted');
    expect([names[0], names.at(-1)]).toEqual(['0 Y', '7 X']);
  });

  test('keep all cards when a column is deleted concurrently', async () => {
    const [target, gone] = [shop.leadStages['qualified'], shop.leadStages['contacted']];
    await move(ids[0]!, 'contacted');
    const moves = runConcurrently(12, (at) => move(ids[at % 6]!, at % 2 ? 'contacted' : 'new', 0));
    const removal = await shop.owner.delete(`/api/lead-stage/delete/${gone}?move_to=${target}`);
    const replies = await moves;
    expect(removal.status).toBe(200);
    expect(replies.every(({ status }) => status === 200 || status === 422)).toBe(true);
    const shown = (await columns()).flatMap(({ leads }: { leads: { name: string }[] }) =>
      leads.map(({ name }) => name),
    );
    expect(shown.toSorted()).toEqual(NAMES);
  });
});
