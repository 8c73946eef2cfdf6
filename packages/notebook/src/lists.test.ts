import { beforeAll, describe, expect, test } from '@jest/globals';
import { start } from '@suite/harness';
import { notebook } from './notebook.ts';

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
  test('shows the newest first, with its total', async () => {
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

  test('pages, and links to the pages beside it', async () => {
    const { body, headers } = await kim.get('/api/notes?page=2&per_page=4&sort=title');
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual(['elderberry', 'fig']);
    expect(headers.get('link')).toContain('page=1');
  });

  test('shows only the fields that were asked for', async () => {
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
  ])('refuses %s', async (query) => {
    const { status, body } = await kim.get(`/api/notes?${query}`);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'validation_failed' });
  });

  test('costs two statements, and one more for what it expands', async () => {
    const before = service.database.statements;
    await kim.get('/api/notes?per_page=100&q=a');
    expect(service.database.statements - before).toBe(2);
    const { body } = await kim.get('/api/notes?expand=pages&sort=title');
    expect(service.database.statements - before).toBe(5);
    expect(body.data[0].pages).toMatchObject([{ text: 'of apple pie' }]);
  });

  test('counts exactly to 10 000 and says when there is more', async () => {
    const many = service.member({ can: ['note.view'] });
    await service.sql`INSERT INTO notes (id, workspace_id, title) SELECT gen_random_uuid(), ${many.caller.workspace_id}, 'n ' || n FROM generate_series(1, 10001) n`;
    expect((await many.get('/api/notes?per_page=1')).body.meta).toMatchObject({ total: 10_000, total_is_exact: false });
    await service.sql`DELETE FROM notes WHERE workspace_id = ${many.caller.workspace_id} AND title = 'n 1'`;
    expect((await many.get('/api/notes?per_page=1')).body.meta).toMatchObject({ total: 10_000, total_is_exact: true });
    expect((await many.get('/api/notes?page=501')).status).toBe(200);
    expect((await many.get('/api/notes?page=502')).body.errors.page[0]).toContain('next_cursor');
  });
});
