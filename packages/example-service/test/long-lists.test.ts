import { beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor, start, runConcurrently } from '@suite/testing';
import { notebook } from '../src/notebook.ts';

const service = await start(notebook);

describe('a long list', () => {
  const many = service.member({ can: ['note.view', 'note.delete', 'note.create'] });
  const remove = async (title: string) => {
    const [{ id }] = (await many.get(`/api/notes?title=${encodeURIComponent(title)}`)).body.data;
    expect((await many.delete(`/api/note/delete/${id}`)).status).toBe(200);
  };
  const count = async (query = '') => {
    const { total, total_is_exact } = (await many.get(`/api/notes?per_page=1&${query}`)).body.meta;
    return [total, total_is_exact];
  };

  beforeAll(async () => {
    await service.sql`
      INSERT INTO notes (id, workspace_id, title, status) SELECT gen_random_uuid(), ${many.caller.workspace_id}, 'n ' || n || CASE WHEN n % 2 = 0 THEN ' even' ELSE '' END, 'open'
      FROM generate_series(1, 10001) n`;
  });

  const expectSameRows = async (pages: number[], { total, rows }: { total: number; rows?: number }) => {
    const all = await service.sql`
      SELECT title FROM notes WHERE workspace_id = ${many.caller.workspace_id} ORDER BY title, id`;
    expect(all).toHaveLength(rows ?? total);
    for (const page of pages) {
      const { data, meta } = (await many.get(`/api/notes?sort=title&per_page=30&fields=title&page=${page}`)).body;
      expect(data).toEqual(all.slice((page - 1) * 30, page * 30));
      expect([page, meta.total, meta.next_cursor !== null]).toEqual([page, total, page * 30 < all.length]);
    }
  };

  test('returns the same rows near the 10,000th row as any other page', () =>
    expectSameRows([34, 168, 300, 333], { total: 10_000, rows: 10_001 }));

  test('counts exactly up to 10,000 and reports if there are more', async () => {
    expect(await count()).toEqual([10_000, false]);
    expect(await count('q=n')).toEqual([10_000, false]);
    await remove('n 1');
    expect(await count()).toEqual([10_000, true]);
    expect(await count('q=n')).toEqual([10_000, true]);
    expect((await many.get('/api/notes?page=501')).status).toBe(200);
    expect((await many.get('/api/notes?page=502')).body.errors.page[0]).toContain('next_cursor');
  });

  test('caches its count briefly, until a change', async () => {
    const counted = await count();
    const before = service.database.statements;
    expect(await count()).toEqual(counted);
    expect(service.database.statements - before).toBe(1);
    await remove('n 3');
    expect(await count()).toEqual([9_999, true]);
    await service.sql`DELETE FROM notes WHERE workspace_id = ${many.caller.workspace_id} AND title = 'n 5'`;
    await waitFor(async () => expect(await count()).toEqual([9_998, true]));
  });

  test('runs one statement for a search without a match, and sorts each search by title', async () => {
    const asked = async (q: string) => {
      const before = service.database.statements;
      const { data, meta } = (await many.get(`/api/notes?per_page=5&sort=title&fields=title&q=${q}`)).body;
      const titles = data.map(({ title }: { title: string }) => title);
      return [service.database.statements - before, meta.total, titles];
    };
    expect(await asked('nothing')).toEqual([1, 0, []]);
    expect(await asked('n 100')).toEqual([2, 13, ['n 100 even', 'n 1000 even', 'n 10000 even', 'n 10001', 'n 1001']]);
    expect((await asked('even'))[1]).toBe(5_000);
  });

  test('counts once for concurrent requests', async () => {
    await remove('n 7');
    const before = service.database.statements;
    const replies = await runConcurrently(50, () => many.get('/api/notes?per_page=1'));
    expect(new Set(replies.map(({ body }) => body.meta.total)).size).toBe(1);
    // Fifty pages. A slow machine may forget a count between two pages.
    expect(service.database.statements - before).toBeLessThan(60);
  });

  test('returns the same rows near its end as any other page', () =>
    expectSameRows([34, 168, 300, 333, 334], { total: 9_997 }));

  test('counts only the rows that each caller sees', async () => {
    const stranger = service.member({ can: ['note.view'] });
    await count();
    expect((await stranger.get('/api/notes?per_page=1')).body.meta.total).toBe(0);
  });

  test.each(['', 'q=even', 'q=even&sort=title', 'q=n&sort=-title', 'status=open&sort=title', 'q=n 77'])(
    'has the same rows by page and by cursor: %s',
    async (query) => {
      const found: string[] = [];
      const pages: string[] = [];
      let cursor = '';
      for (let page = 1; page <= 3; page += 1) {
        const at = `/api/notes?per_page=15&fields=title&${query}`;
        const walked = (await many.get(`${at}${cursor}`)).body;
        found.push(...walked.data.map(({ title }: { title: string }) => title));
        cursor = `&cursor=${walked.meta.next_cursor}`;
        const paged = (await many.get(`${at}&page=${page}`)).body;
        pages.push(...paged.data.map(({ title }: { title: string }) => title));
        expect(paged.meta.total).toBe(walked.meta.total);
      }
      expect(new Set(found).size).toBe(45);
      expect(found).toEqual(pages);
    },
  );
});
