import { beforeAll, describe, expect, test } from '@jest/globals';
import { everything, openCrm, type Shop } from '../../../test/fixture.ts';

const { serving, shop: openShop } = await openCrm();
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});

const PARTS = ['tasks', 'calls', 'discussions', 'emails', 'files', 'stage-history', 'timeline'];
const make = async (kind: string, body: object = {}) =>
  (await shop.owner.post(`/api/${kind}/create`, { name: 'Ada', ...body })).body.data.id as string;

/** Inserts more notes than a test could create through the API. */
const write = (kind: string, id: string, count: number) =>
  serving.sql`
    INSERT INTO discussions (id, workspace_id, lead_id, deal_id, comment, created_at)
    SELECT gen_random_uuid(), ${shop.workspace}, ${kind === 'lead' ? id : null}, ${kind === 'deal' ? id : null},
      'Note ' || nr, now() + nr * interval '1 second'
    FROM generate_series(1, ${count}::int) AS nr`;

describe.each(['lead', 'deal'])('the activities of a %s', (kind) => {
  test('are shown up to 100 with their total, and listed completely', async () => {
    const id = await make(kind);
    await write(kind, id, 130);
    await write(kind, await make(kind), 1);
    const { body: shown } = await shop.owner.get(`/api/${kind}/show/${id}`);
    expect(shown.data.discussions).toHaveLength(100);
    const nothing = { tasks: 0, calls: 0, emails: 0, files: 0 };
    expect(shown.data.totals).toEqual({ ...nothing, discussions: 130, stage_history: 1, timeline: 1 });
    const seen: string[] = [];
    let next = '';
    do {
      const { body } = await shop.owner.get(`/api/${kind}-discussions/${id}?per_page=50${next}`);
      expect(body.meta.total).toBe(130);
      seen.push(...body.data.map(({ comment }: { comment: string }) => comment));
      next = body.meta.next_cursor && `&cursor=${body.meta.next_cursor}`;
    } while (next);
    expect(seen).toEqual(Array.from({ length: 130 }, (_, at) => `Note ${130 - at}`));
  });

  test('are the same in each list and in the record', async () => {
    const id = await make(kind);
    const form = new FormData();
    form.set('file', new Blob(['An offer.']), 'offer.txt');
    await shop.owner.upload(`/api/${kind}-file/store/${id}`, form);
    const named = { [`${kind}_id`]: id };
    await shop.owner.post(`/api/${kind}-task/create`, { ...named, name: 'Call', date: '2027-01-01', time: '10:00' });
    const call = { subject: 'Hello', type: 'outbound', at: '2026-01-01T10:00:00Z', duration_seconds: 60 };
    await shop.owner.post(`/api/${kind}-call/store`, { ...named, ...call });
    await shop.owner.post(`/api/${kind}-email/store/${id}`, { to: ['a@example.com'], subject: 'Hi', body: 'Hi' });
    await shop.owner.post(`/api/${kind}-discussion/store/${id}`, { comment: 'Nice' });
    const shown = (await shop.owner.get(`/api/${kind}/show/${id}`)).body.data;
    for (const part of PARTS) {
      const { status, body } = await shop.owner.get(`/api/${kind}-${part}/${id}`);
      const name = part.replace('-', '_');
      expect([part, status, body.data.length]).toEqual([part, 200, shown.totals[name]]);
      // Links differ each time. Only lists show `updated_at`.
      const [{ url: _, updated_at: __, ...first }] = body.data;
      expect(shown[name][0]).toMatchObject(first);
    }
    const [{ url }] = (await shop.owner.get(`/api/${kind}-files/${id}`)).body.data;
    const token = serving.gateway.sign('crm', null);
    const fetched = await fetch(new URL(new URL(url).pathname, serving.url), {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await fetched.text()).toBe('An offer.');
    const done = await shop.owner.get(`/api/${kind}-timeline/${id}?type=created&sort=at`);
    expect(done.body.data).toMatchObject([{ type: 'created', actor: { name: 'Kim Example' } }]);
  });

  test('returns 404 for users who cannot see the record', async () => {
    const id = await make(kind);
    const seller = shop.member({ can: everything, record_scopes: { lead: 'own', deal: 'own' } });
    const outsider = (await openShop()).owner;
    for (const part of PARTS) {
      for (const caller of [seller, outsider]) {
        expect(await caller.get(`/api/${kind}-${part}/${id}`)).toMatchObject({ status: 404 });
      }
      expect(await shop.member({ can: [] }).get(`/api/${kind}-${part}/${id}`)).toMatchObject({ status: 403 });
    }
  });
});

test('a client sees the files of a deal, but not the internal work', async () => {
  const user_id = shop.hire({ kind: 'client' });
  const client = shop.member({ user_id, kind: 'client', can: ['deal.view'], record_scopes: { deal: 'own' } });
  const id = await make('deal', { client_ids: [user_id] });
  const form = new FormData();
  form.set('file', new Blob(['An offer.']), 'offer.txt');
  await shop.owner.upload(`/api/deal-file/store/${id}`, form);
  await write('deal', id, 1);
  for (const part of PARTS) {
    const { body } = await client.get(`/api/deal-${part}/${id}`);
    expect([part, body.data.length, body.meta.total]).toEqual([part, ...(part === 'files' ? [1, 1] : [0, 0])]);
  }
  const { totals } = (await client.get(`/api/deal/show/${id}`)).body.data;
  expect(totals).toMatchObject({ files: 1, discussions: 0, timeline: 0, stage_history: 0 });
});
