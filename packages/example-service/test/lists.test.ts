import { beforeAll, describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { notebook } from '../src/notebook.ts';

const service = await start(notebook);
const kim = service.member({ can: ['note.view', 'note.create'] });
const other = service.member({ can: ['note.view', 'note.create'] });
const titles = async (query: string) =>
  (await kim.get(`/api/notes?${query}`)).body.data.map(({ title }: { title: string }) => title);

beforeAll(async () => {
  for (const [at, title] of ['apple pie', 'banana', 'cherry tart', 'date', 'elderberry', 'fig'].entries()) {
    await kim.post('/api/note/create', {
      title,
      ...(at % 2 === 0 && { amount: `${at}.5`, due: `2026-12-0${at + 1}` }),
      pages: [{ text: `of ${title}` }],
    });
  }
  await other.post('/api/note/create', { title: 'apple of another workspace' });
  await service.sql`UPDATE notes SET position = length(title), status = CASE WHEN title = 'fig' THEN 'done' ELSE 'open' END`;
});

describe('a list', () => {
  test('returns the newest first, with the total', async () => {
    const { status, body } = await kim.get('/api/notes');
    expect(status).toBe(200);
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual([
      'fig',
      'elderberry',
      'date',
      'cherry tart',
      'banana',
      'apple pie',
    ]);
    expect(body.meta).toEqual({ page: 1, per_page: 20, total: 6, total_is_exact: true, next_cursor: null });
  });

  test.each([
    ['status=done', ['fig']],
    ['status[ne]=open', ['fig']],
    ['title[like]=AN', ['banana']],
    ['title[like]=%25', []],
    ['title[in]=date,fig', ['fig', 'date']],
    ['amount[gte]=2.5&amount[lt]=4.5', ['cherry tart']],
    ['amount[ne]=2.5', ['fig', 'elderberry', 'date', 'banana', 'apple pie']],
    ['amount[null]=true', ['fig', 'date', 'banana']],
    ['due=2026-12-05', ['elderberry']],
    ['position[gt]=8', ['elderberry', 'cherry tart', 'apple pie']],
    ['q=tart', ['cherry tart']],
    ['q=app', ['apple pie']],
    ["q='); DROP TABLE notes; --", []],
    ['sort=position,-title', ['fig', 'date', 'banana', 'apple pie', 'elderberry', 'cherry tart']],
    ['sort=amount', ['apple pie', 'cherry tart', 'elderberry', 'banana', 'date', 'fig']],
    ['created_at[gte]=2020-01-01T00:00:00Z&updated_at[gte]=2020-01-01T00:00:00Z&title=fig', ['fig']],
  ])('%s', async (query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  test.each(['-created_at', 'title', 'amount', '-amount', 'position,-title', '-position,title'])(
    'walks by cursor through every row once, in the order %s',
    async (sort) => {
      const whole = await titles(`sort=${sort}`);
      const walked: string[] = [];
      let next = `/api/notes?sort=${sort}&per_page=2&title[ne]=nobody`;
      for (let turn = 0; turn < 4 && next; turn += 1) {
        const { body, headers } = await kim.get(next);
        walked.push(...body.data.map(({ title }: { title: string }) => title));
        expect(body.meta.total).toBe(6);
        next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
      }
      expect(walked).toEqual(whole);
    },
  );

  test('accepts a cursor only in the list and order that issued it', async () => {
    const { body } = await kim.get('/api/notes?sort=title&status=open&per_page=2');
    const behind = (query: string) => kim.get(`/api/notes?per_page=2&cursor=${body.meta.next_cursor}&${query}`);
    expect((await behind('status=open&sort=title')).body.data).toHaveLength(2);
    for (const query of ['sort=-title&status=open', 'sort=title', 'sort=title&status=open&q=a', 'status=open'])
      expect(await behind(query)).toMatchObject({ status: 422, body: { errors: { cursor: [expect.any(String)] } } });
  });

  test('filters by ID, by last change and by related records', async () => {
    const { body } = await kim.get('/api/notes?sort=title&per_page=2&expand=pages');
    const [apple, banana] = body.data;
    expect(await titles(`id[in]=${apple.id},${banana.id}&sort=title`)).toEqual(['apple pie', 'banana']);
    expect(await titles(`page_id=${apple.pages[0].id}`)).toEqual(['apple pie']);
    expect(await titles(`page_id[in]=${apple.pages[0].id},${banana.pages[0].id}&sort=title&position[gt]=6`)).toEqual([
      'apple pie',
    ]);
  });

  test("interprets a date in the workspace's time zone", async () => {
    const far = service.member({ can: ['note.view'], timezone: 'Pacific/Auckland' });
    const { workspace_id } = far.caller;
    await service.sql`INSERT INTO notes (id, workspace_id, title, created_at) VALUES (gen_random_uuid(), ${workspace_id}, 'midnight', '2026-11-20T23:30:00Z')`;
    const found = async (query: string) => (await far.get(`/api/notes?${query}`)).body.meta.total;
    // 23:30 UTC is 12:30 on the 21st in Auckland.
    const counts = {
      '=2026-11-21': 1,
      '=2026-11-20': 0,
      '[gte]=2026-11-21': 1,
      '[gte]=2026-11-22': 0,
      '[gt]=2026-11-20': 1,
    };
    const more = {
      '[gt]=2026-11-21': 0,
      '[lte]=2026-11-21': 1,
      '[lte]=2026-11-20': 0,
      '[lt]=2026-11-21': 0,
      '[lt]=2026-11-22': 1,
    };
    for (const [asked, total] of Object.entries({ ...counts, ...more }))
      expect([asked, await found(`created_at${asked}`)]).toEqual([asked, total]);
  });

  test('returns pages, and links to the next and previous pages', async () => {
    const { body, headers } = await kim.get('/api/notes?page=2&per_page=4&sort=title');
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual(['elderberry', 'fig']);
    expect(headers.get('link')).toContain('page=1');
  });

  test('shows only the requested fields', async () => {
    expect((await kim.get('/api/notes?fields=title,amount&title=date')).body.data).toEqual([
      { title: 'date', amount: null },
    ]);
  });

  test.each([
    'per_page=0',
    'per_page=101',
    'page=0',
    'page=1e9',
    'page=x',
    'sort=secret',
    'sort=title;drop',
    'expand=workspace',
    'fields=workspace_id',
    'cursor=rubbish',
    'status=opened',
    'status[in]=open,xyz',
    'sort=title,-title',
    'due[gte]=0000-01-01',
    'created_at[gte]=2026-11-21T00:00:00%2B23:00',
    'created_at[lt]=9999-12-31T23:59:59-01:00',
    'page_id=1',
    'unknown=1',
    'title[regex]=x',
    'status[gt]=a',
    'amount=abc',
    'due=2026-13-01',
    'created_at[gte]=yesterday',
    'position=1.5',
    'amount[null]=maybe',
    'title=a&title=b',
    'pages=1',
    'workspace_id=x',
    '__proto__=x',
  ])('rejects %s', async (query) => {
    const { status, body } = await kim.get(`/api/notes?${query}`);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'validation_failed' });
  });

  test('needs one statement for the rows, one for the total and one per expansion', async () => {
    const cost = async (query: string) => {
      const before = service.database.statements;
      const { body } = await kim.get(`/api/notes?${query}`);
      return [service.database.statements - before, body.meta.total, body.data[0].pages];
    };
    expect(await cost('per_page=2')).toEqual([2, 6, undefined]);
    expect(await cost('per_page=100')).toEqual([1, 6, undefined]);
    expect(await cost('per_page=2&page=3')).toEqual([1, 6, undefined]);
    expect(await cost('per_page=100&q=a')).toEqual([1, 1, undefined]);
    expect(await cost('per_page=5&expand=pages&sort=title')).toEqual([
      3,
      6,
      [expect.objectContaining({ text: 'of apple pie' })],
    ]);
  });

  test('does not count again after a cursor', async () => {
    const { meta } = (await kim.get('/api/notes?per_page=2')).body;
    await kim.post('/api/note/create', { title: 'grape', pages: [] });
    const before = service.database.statements;
    const further = await kim.get(`/api/notes?per_page=2&cursor=${meta.next_cursor}`);
    expect(service.database.statements - before).toBe(1);
    expect(further.body.meta).toMatchObject({ total: 6, total_is_exact: true });
    expect((await kim.get('/api/notes?per_page=2')).body.meta.total).toBe(7);
    await service.sql`DELETE FROM notes WHERE title = 'grape'`;
  });

  test('computes and parses only the requested fields', async () => {
    const { body } = await kim.get('/api/notes?per_page=2&page=2&fields=title');
    expect(body.data).toEqual([{ title: 'date' }, { title: 'cherry tart' }]);
  });
});
