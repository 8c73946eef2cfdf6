import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { notebook } from '@suite/example-service';
import {
  type CrossServiceCheck,
  audit,
  checkInclusion,
  compare,
  type Consequence,
  checkConsequence,
} from './auditor.ts';

const [left, right] = [await start(notebook), await start(notebook)];
const databases = { left: left.database_url, right: right.database_url };
const titled = { name: 'notes have a title', sql: `SELECT workspace_id, id FROM notes WHERE title LIKE 'none%'` };
const sides = `SELECT workspace_id, id AS key, title AS value FROM notes`;
const copied: CrossServiceCheck = {
  name: 'what is noted here is noted there',
  here: { service: 'left', sql: sides },
  there: { service: 'right', sql: sides },
};

let workspace_id: string;
beforeEach(() => {
  workspace_id = randomUUID();
});

async function note(side: typeof left, title: string, id: string = randomUUID()): Promise<string> {
  await side.sql`INSERT INTO notes (id, workspace_id, title) VALUES (${id}, ${workspace_id}, ${title})`;
  return id;
}

describe('a check', () => {
  test('finds nothing if the rule is met', async () => {
    await note(left, 'one');
    expect(await audit(databases.left, [titled], workspace_id)).toEqual([]);
  });

  test('returns every row that violates the rule, by the name of the rule', async () => {
    const ids = [await note(left, 'none'), await note(left, 'none either')];
    const found = await audit(databases.left, [titled], workspace_id);
    expect(found).toEqual(
      expect.arrayContaining(ids.map((id) => ({ check: 'notes have a title', row: { workspace_id, id } }))),
    );
  });

  test('covers all workspaces, or only the requested one', async () => {
    const id = await note(left, 'none');
    const everywhere = await audit(databases.left, [titled]);
    expect(everywhere.map(({ row }) => row['id'])).toContain(id);
    expect(await audit(databases.left, [titled], randomUUID())).toEqual([]);
  });

  test('cannot change anything', async () => {
    const tampering = { name: 'tampering', sql: `DELETE FROM notes RETURNING workspace_id` };
    await expect(audit(databases.left, [tampering])).rejects.toThrow(/syntax error|read-only/);
    const hidden = { name: 'hidden', sql: `SELECT workspace_id FROM notes FOR UPDATE` };
    await expect(audit(databases.left, [hidden])).rejects.toThrow('read-only');
  });
});

describe('a consequence', () => {
  const noted: Consequence = {
    name: 'every row on the right is on the left',
    seen: { service: 'right', sql: sides },
    before: { service: 'left', sql: sides },
  };

  test('holds if each row of the later database is in the earlier one', async () => {
    const id = await note(left, 'one');
    expect(await checkConsequence(databases, noted, workspace_id)).toEqual([]);
    await note(right, 'one', id);
    expect(await checkConsequence(databases, noted, workspace_id)).toEqual([]);
  });

  test('finds missing and different rows at the first look', async () => {
    const other = await note(left, 'one');
    await note(right, 'another', other);
    const alone = await note(right, 'two');
    const row = (key: string, seen: string, before: string | null) => ({
      check: noted.name,
      row: { workspace_id, key, right: seen, left: before },
    });
    const found = await checkConsequence(databases, noted, workspace_id);
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining([row(other, 'another', 'one'), row(alone, 'two', null)]));
  });

  test('reads the consequence before its cause', async () => {
    const slow = { ...noted.before, sql: `${sides}, pg_sleep(0.5)` };
    const looking = checkConsequence(databases, { ...noted, before: slow }, workspace_id);
    await new Promise((resolve) => setTimeout(resolve, 250));
    const id = await note(left, 'late');
    await note(right, 'late', id);
    expect(await looking).toEqual([]);
  });
});

describe('an agreement', () => {
  test('finds nothing if both databases contain the same', async () => {
    const id = await note(left, 'one');
    await note(right, 'one', id);
    expect(await compare(databases, copied, workspace_id)).toEqual([]);
  });

  test('finds missing and different rows', async () => {
    const [missing, different] = [await note(left, 'one'), await note(left, 'two')];
    await note(right, 'another', different);
    const found = await compare(databases, copied, workspace_id);
    const row = (key: string, here: string, there: string | null) => ({
      check: copied.name,
      row: { workspace_id, key, left: here, right: there },
    });
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining([row(missing, 'one', null), row(different, 'two', 'another')]));
  });

  test('ignores rows that are still being processed', async () => {
    const id = await note(left, 'one');
    const comparing = compare(databases, copied, workspace_id);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await note(right, 'one', id);
    expect(await comparing).toEqual([]);
  });
});

describe('an inclusion', () => {
  const notes = () => `SELECT id FROM notes WHERE workspace_id = '${workspace_id}'`;
  const inclusion = () => ({
    later: [{ name: 'noted', service: 'right', sql: notes(), report: 'SELECT title FROM notes WHERE id = ANY($1)' }],
    earlier: { service: 'left', sql: { notes: notes(), absent_table: 'SELECT id FROM absent_table' } },
  });

  test('reports IDs that only the later set contains, and ignores absent tables', async () => {
    for (let count = 0; count < 20; count += 1) await note(right, `both ${count}`, await note(left, `both ${count}`));
    await note(left, 'earlier');
    expect(await checkInclusion(databases, inclusion())).toEqual([]);
    for (const title of ['one', 'two', 'three']) await note(right, title);
    const found = await checkInclusion(databases, inclusion());
    expect(found.map(({ row }) => String(row['title'])).toSorted()).toEqual(['one', 'three', 'two']);
  });

  test('reports all IDs if the earlier set is empty', async () => {
    await note(right, 'one');
    expect(await checkInclusion(databases, inclusion())).toEqual([{ check: 'noted', row: { title: 'one' } }]);
  });
});
