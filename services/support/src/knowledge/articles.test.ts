import { beforeEach, describe, expect, test } from '@jest/globals';
import { freezeClock, sortedStatuses, runConcurrently, eventTypesOf } from '@suite/testing';
import { type Office, openSupport } from '../../test/fixture.ts';

const { serving, office: openOffice } = await openSupport();
let office: Office;
beforeEach(async () => {
  office = await openOffice();
});

const path = '/api/support-ticket';
const create = (body: object = {}) =>
  office.owner.post(`${path}/knowledge/store`, { title: 'How to pay', body: 'By *transfer*.', ...body });
const createArticle = async (body: object = {}) => (await create(body)).body.data;
const update = (id: string, body: object) => office.owner.post(`${path}/knowledge/update/${id}`, body);
const show = (id: string, by = office.owner) => by.get(`${path}/knowledge/show/${id}`);
const list = (query = '', by = office.owner) => by.get(`${path}/knowledges?${query}`);
const titles = async (query: string, by = office.owner) =>
  (await list(query, by)).body.data.map(({ title }: { title: string }) => title);
const published = (body: object = {}) => createArticle({ status: 'published', ...body });
const eventsOf = (id: string) => eventTypesOf(serving, id);

describe('an article', () => {
  test('is created as a draft with a slug and an author', async () => {
    expect(await create({ tags: ['money'] })).toMatchObject({
      status: 201,
      body: {
        data: {
          title: 'How to pay',
          slug: 'how-to-pay',
          status: 'draft',
          body_html: '<p>By <em>transfer</em>.</p>',
          excerpt: 'By transfer.',
          tags: ['money'],
          author: { id: office.owner.caller.user_id, name: 'Kim Example' },
          published_at: null,
          revision: 1,
          revisions: [],
          views: 0,
          helpful: 0,
          not_helpful: 0,
          allowed_actions: ['update', 'publish', 'delete'],
        },
      },
    });
  });

  test('is published and archived, and emits an event with each publication', async () => {
    const still = freezeClock('2040-01-01T00:00:00Z');
    const { id } = await createArticle();
    expect((await update(id, { status: 'published' })).body.data).toMatchObject({
      status: 'published',
      published_at: '2040-01-01T00:00:00.000Z',
      allowed_actions: ['update', 'archive', 'vote'],
    });
    still.goTo('2040-01-02T00:00:00Z');
    expect((await update(id, { status: 'published' })).status).toBe(200);
    expect((await update(id, { status: 'archived' })).body.data.status).toBe('archived');
    expect((await update(id, { status: 'published', title: 'Paying' })).body.data).toMatchObject({
      title: 'Paying',
      published_at: '2040-01-01T00:00:00.000Z',
      revision: 2,
    });
    expect(await eventsOf(id)).toEqual(['support.article.published', 'support.article.published']);
    expect(await update(id, { status: 'draft' })).toMatchObject({ status: 422 });
    const draft = await createArticle({ title: 'Draft' });
    expect(await update(draft.id, { status: 'archived' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'draft', action: 'archive' } },
    });
  });

  test('can be deleted as a draft or archived, but not while published', async () => {
    const { id } = await published();
    const remove = () => office.owner.post(`${path}/knowledge/delete/${id}`);
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    await update(id, { status: 'archived' });
    expect(sortedStatuses([await remove(), await remove()])).toEqual([200, 404]);
    expect((await createArticle()).slug).toBe('how-to-pay');
    expect(await serving.sql`SELECT FROM article_revisions WHERE article_id = ${id}`).toEqual([]);
  });

  test('stores each previous revision and can restore it', async () => {
    const { id } = await createArticle();
    await update(id, { body: 'In cash.' });
    await update(id, { tags: ['money'] });
    expect((await update(id, { title: 'Paying', body: 'By card.', version: 3 })).body.data).toMatchObject({
      revision: 3,
      revisions: [
        { revision: 2, title: 'How to pay' },
        { revision: 1, by: office.owner.caller.user_id },
      ],
    });
    const restore = (revision: number) => office.owner.post(`${path}/knowledge/restore/${id}`, { revision });
    expect((await restore(1)).body.data).toMatchObject({
      title: 'How to pay',
      body: 'By *transfer*.',
      body_html: '<p>By <em>transfer</em>.</p>',
      revision: 4,
    });
    expect((await restore(4)).body.data.revision).toBe(4);
    expect(await restore(5)).toMatchObject({ status: 422, body: { errors: { revision: [expect.any(String)] } } });
    expect(await update(id, { title: 'x', version: 1 })).toMatchObject({ status: 412 });
  });

  test('loses no revision to concurrent updates', async () => {
    const { id } = await createArticle();
    await runConcurrently(50, (at) => update(id, { body: `Text ${at}` }));
    const { data } = (await show(id)).body;
    expect(data.revision).toBe(51);
    expect(data.revisions.map(({ revision }: { revision: number }) => revision)).toEqual(
      Array.from({ length: 50 }, (_, at) => 50 - at),
    );
  });
});

describe('the slug of an article', () => {
  test('is derived from the title, and numbered if it is taken', async () => {
    const slugs = [];
    for (const title of ['Größe & Maße!', 'größe maße', 'Groesse', 'grosse masse 2', '日本', '日本'])
      slugs.push((await createArticle({ title })).slug);
    expect(slugs).toEqual(['grosse-masse', 'grosse-masse-2', 'groesse', 'grosse-masse-2-2', 'article', 'article-2']);
    const long = ['x'.repeat(90), 'x'.repeat(90)];
    for (const [at, title] of long.entries())
      expect((await createArticle({ title })).slug).toBe(at ? `${'x'.repeat(78)}-2` : 'x'.repeat(80));
  });

  test('cannot be the ID of another article', async () => {
    const { id } = await createArticle();
    const { id: other, slug } = await createArticle({ title: id });
    expect(slug).toBe(`article-${id}`);
    expect((await show(slug)).body.data.id).toBe(other);
    expect((await show(id)).body.data.id).toBe(id);
  });

  test('is different for each of 50 articles created concurrently', async () => {
    const replies = await runConcurrently(50, () => create());
    const slugs = replies.map(({ body }) => body.data.slug);
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([201]));
    expect(new Set(slugs)).toEqual(
      new Set(['how-to-pay', ...Array.from({ length: 49 }, (_, at) => `how-to-pay-${at + 2}`)]),
    );
  });

  test('always belongs to the same article', async () => {
    const { id } = await createArticle();
    await update(id, { slug: 'paying' });
    for (const slug of ['how-to-pay', 'paying', id])
      expect((await show(slug)).body.data).toMatchObject({ id, slug: 'paying' });
    expect((await show('nothing')).status).toBe(404);
    const conflict = { status: 409, body: { code: 'already_exists' } };
    for (const slug of ['how-to-pay', 'paying']) expect(await create({ title: 'Other', slug })).toMatchObject(conflict);
    const other = await createArticle({ title: 'Other' });
    expect(await update(other.id, { slug: 'how-to-pay' })).toMatchObject(conflict);
    expect((await update(id, { slug: 'how-to-pay' })).body.data.slug).toBe('how-to-pay');
    const outsider = await openOffice();
    expect((await show('paying', outsider.owner)).status).toBe(404);
  });
});

describe('readers', () => {
  test('see published articles only', async () => {
    const draft = await createArticle({ title: 'Draft' });
    const archived = await published({ title: 'Old' });
    await update(archived.id, { status: 'archived' });
    const { id } = await published({ title: 'Open' });
    await update(id, { body: 'New.' });
    for (const kind of ['staff', 'client', 'vendor'] as const) {
      const reader = office.member({ can: ['article.view'], kind });
      expect((await list('', reader)).body).toMatchObject({ data: [{ title: 'Open' }], meta: { total: 1 } });
      expect(await list('status=draft', reader)).toMatchObject({ status: 200, body: { data: [] } });
      expect(await titles('q=draft', reader)).toEqual([]);
      for (const hidden of [draft.id, draft.slug, archived.id]) expect((await show(hidden, reader)).status).toBe(404);
      const shown = (await show(id, reader)).body.data;
      expect(shown).toMatchObject({ body: 'New.', allowed_actions: ['vote'] });
      expect(shown).not.toHaveProperty('revisions');
      expect((await reader.post(`${path}/knowledge/vote/${draft.id}`, { helpful: true })).status).toBe(404);
    }
  });

  test('are counted once a day, except for agents', async () => {
    const still = freezeClock('2040-01-01T12:00:00Z');
    const { id, version } = await published();
    const reader = office.member({ can: ['article.view'], kind: 'client' });
    const replies = await runConcurrently(50, () => show(id, reader));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    await show(id);
    expect((await show(id, reader)).body.data).toMatchObject({ views: 1, version });
    still.goTo('2040-01-01T23:30:00Z');
    expect((await show(id, reader)).body.data.views).toBe(2);
    await show(id, office.member({ can: ['article.view'] }));
    expect(await titles('views[gte]=3')).toEqual(['How to pay']);
    expect(await titles('views[gte]=4')).toEqual([]);
  });

  test('can vote once, and change their vote', async () => {
    const { id, version } = await published();
    const readers = [
      office.member({ can: ['article.view'], kind: 'client' }),
      office.member({ can: ['article.view'] }),
    ];
    const vote = (by: number, helpful: boolean) => readers[by]!.post(`${path}/knowledge/vote/${id}`, { helpful });
    await runConcurrently(50, () => vote(0, true));
    expect((await vote(1, false)).body.data).toMatchObject({ helpful: 1, not_helpful: 1, version });
    expect((await vote(0, false)).body.data).toMatchObject({ helpful: 0, not_helpful: 2 });
    const draft = await createArticle({ title: 'Draft' });
    expect(await office.owner.post(`${path}/knowledge/vote/${draft.id}`, { helpful: true })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { action: 'vote' } },
    });
  });
});

test('finds articles by words, matching titles first, and by tags', async () => {
  await createArticle({ title: 'Refunds', body: 'How we pay back.', tags: ['a', 'b'] });
  await createArticle({ title: 'Other', body: 'refunds refunds refunds refunds', tags: ['b'] });
  await createArticle({ title: 'Third', body: 'A word on refunds.' });
  expect(await titles('q=refund')).toEqual(['Refunds', 'Other', 'Third']);
  expect(await titles('q=refund&sort=title')).toEqual(['Other', 'Refunds', 'Third']);
  const first = await list('q=refund&per_page=1');
  const { next_cursor, total } = first.body.meta;
  expect(total).toBe(3);
  expect(await titles(`q=refund&per_page=2&cursor=${next_cursor}`)).toEqual(['Other', 'Third']);
  expect(await titles('q=refund&per_page=1&page=3')).toEqual(['Third']);
  expect(await titles('tags=b&sort=title')).toEqual(['Other', 'Refunds']);
  expect(await titles('tags[in]=a,c')).toEqual(['Refunds']);
});

test('ranks the newest 200 articles for a frequent word, then sorts by age', async () => {
  const oldest = await createArticle({ title: 'Oldest', body: 'A word on refunds.' });
  const old = await createArticle({ title: 'Refunds', body: 'A title that is too old to be ranked.' });
  await serving.sql`
    INSERT INTO articles (id, workspace_id, title, slug, body, body_html, excerpt)
    SELECT overlay(${old.id}::text PLACING 'ffffffff-' || lpad(n::text, 4, '0') FROM 1 FOR 13)::uuid, workspace_id,
      CASE n WHEN 1 THEN 'Refunds' ELSE 'Copy ' || n END, 'copy-' || n, 'Our refunds.', '', ''
    FROM articles, generate_series(1, 200) AS n WHERE id = ${old.id}::uuid`;
  expect(await titles('q=refund&per_page=2')).toEqual(['Refunds', 'Copy 200']);
  const walked: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await list(`q=refund&per_page=100${cursor && `&cursor=${cursor}`}`);
    walked.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.meta.next_cursor as string | null;
  }
  expect(new Set(walked).size).toBe(202);
  expect(walked.slice(-2)).toEqual([old.id, oldest.id]);
  expect(await titles('q=refund&per_page=100&page=3')).toEqual(['Refunds', 'Oldest']);
});

describe('writing an article', () => {
  test.each([
    ['title', ''],
    ['title', 'x'.repeat(201)],
    ['body', ''],
    ['body', 'x'.repeat(200_001)],
    ['slug', 'No Slug'],
    ['slug', 'x-'],
    ['slug', 'x'.repeat(81)],
    ['slug', '01a20744-332f-7db5-8ed6-a146e6297987'],
    ['category_id', crypto.randomUUID()],
    ['tags', [1]],
    ['tags', Array(21).fill('x')],
    ['status', 'archived'],
    ['views', 3],
  ])('is rejected with %s = %j', async (field, value) => {
    const response = await create({ [field]: value });
    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors ?? {})[0]?.split('.')[0]).toBe(field);
  });

  test('is rejected without the permission', async () => {
    const { id } = await published();
    const reader = office.member({ can: ['article.view'] });
    const calls = ['store', `update/${id}`, `delete/${id}`, `restore/${id}`];
    for (const call of calls) expect((await reader.post(`${path}/knowledge/${call}`, {})).status).toBe(403);
  });
});
