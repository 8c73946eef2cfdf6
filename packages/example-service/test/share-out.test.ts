import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { type Database, sql } from '@suite/chassis/database';
import { jobTransaction, rotateByWorkspace } from '@suite/chassis/service';
import { start } from '@suite/testing';
import { notebook } from '../src/notebook.ts';
import type { Db } from '../src/operations.ts';

const serving = await start(notebook);
const database = serving.database as Database<Db>;

/** Returns the workspaces of due work, in the order of their due rows. */
const shared = (workspaces: readonly string[], limit: number) =>
  database.readEverywhere(jobTransaction('test', null), (db) =>
    db.rows<{ workspace_id: string; due: number }>(
      rotateByWorkspace(
        sql`SELECT workspace_id, due::int FROM unnest(${[...workspaces]}::uuid[]) WITH ORDINALITY AS work (workspace_id, due)`,
        sql`due`,
        limit,
      ),
    ),
  );

test('serves due work of workspaces in rotation, in order within each', async () => {
  const [busy, other, third] = [randomUUID(), randomUUID(), randomUUID()];
  const rows = await shared([...Array.from({ length: 1_000 }, () => busy), other, other, third], 5);
  expect(rows.map(({ due }) => due)).toEqual([1, 1_001, 1_003, 2, 1_002]);
  expect(new Set(rows.slice(0, 3).map(({ workspace_id }) => workspace_id))).toEqual(new Set([busy, other, third]));
});

test('a single workspace gets the whole batch', async () => {
  const rows = await shared(Array.from({ length: 10 }, () => randomUUID()).fill(randomUUID()), 4);
  expect(rows.map(({ due }) => due)).toEqual([1, 2, 3, 4]);
});
