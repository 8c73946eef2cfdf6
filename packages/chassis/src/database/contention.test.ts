import { setTimeout as pause } from 'node:timers/promises';
import { sqltag as sql } from '@prisma/client/runtime/client';
import { LeadLost } from '@suite/proto/crm/v1/events';
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { busyFault, leadLost, insertNote, openNotes } from '../../test/notes.ts';
import type { RowReader } from './database.ts';
import { type Fault, fault } from '../runtime/fault.ts';

const { database, pool, admin_url, at, write, notes, announced } = await openNotes();
const raise = (code: string) => sql`SELECT suite_raise(${code})`;
await pool.query(`CREATE FUNCTION suite_raise(code text) RETURNS void LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'raised' USING ERRCODE = code; END $$`);
await pool.query(`CREATE FUNCTION suite_hurry() RETURNS void LANGUAGE sql SECURITY DEFINER AS
  $$ SELECT set_config('idle_in_transaction_session_timeout', '50', true) $$`);

/** Creates a barrier. The first `count` callers wait for each other, and later callers pass. */
function meeting(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived === count) resolve();
    return promise;
  };
}

describe('a recurring statement', () => {
  test('is planned once, and again after a migration changed its table', async () => {
    const all = () => database.read(at(), (db: RowReader) => db.rows(sql`SELECT *, 'recurs' AS how FROM notes`));
    const planned = () =>
      database.read(at(), (db: RowReader) =>
        db.rows(sql`SELECT name FROM pg_prepared_statements WHERE statement LIKE '%''recurs'' AS how%' AND name <> ''`),
      );
    await all();
    expect(await planned()).toEqual([]);
    for (let times = 0; times < 30; times += 1) await all();
    expect(await planned()).toHaveLength(1);
    await write((db) => insertNote(db, 'a'));
    await pool.query(`ALTER TABLE notes ADD COLUMN colour text DEFAULT 'red'`);
    try {
      expect(await Promise.all([all(), all()])).toMatchObject([[{ colour: 'red' }], [{ colour: 'red' }]]);
    } finally {
      await pool.query('ALTER TABLE notes DROP COLUMN colour');
    }
    expect(await all()).toEqual([expect.not.objectContaining({ colour: 'red' })]);
  });
});

describe('two conflicting transactions', () => {
  test('succeed: the one that PostgreSQL ends for a deadlock runs again', async () => {
    await write(async (db) => void (await Promise.all([insertNote(db, 'a'), insertNote(db, 'b')])));
    let runs = 0;
    const both = meeting(2);
    const cross = (first: string, second: string) =>
      write(async (db, emit) => {
        runs += 1;
        emit(LeadLost, leadLost());
        await db.rows(sql`UPDATE notes SET text = text || '+' WHERE text LIKE ${`${first}%`}`);
        await both();
        await db.rows(sql`UPDATE notes SET text = text || '+' WHERE text LIKE ${`${second}%`}`);
      });
    await Promise.all([cross('a', 'b'), cross('b', 'a')]);
    expect(runs).toBe(3);
    expect(await notes()).toEqual(['a++', 'b++']);
    expect(await announced()).toHaveLength(2);
  });

  test('reject the second of two exclusive rows by the rule that finds the first', async () => {
    await pool.query('ALTER TABLE notes ADD CONSTRAINT notes_excluded EXCLUDE USING btree (text WITH =)');
    const Taken = fault(409, 'taken', 'There is such a note.');
    const both = meeting(2);
    const add = () =>
      write(async (db) => {
        const [there] = await db.rows(sql`SELECT FROM notes WHERE text = 'alone'`);
        await both();
        if (there) throw Taken();
        await insertNote(db, 'alone');
      });
    try {
      const outcomes = await Promise.allSettled([add(), add()]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(outcomes).toContainEqual(expect.objectContaining({ reason: expect.objectContaining({ code: 'taken' }) }));
      expect(await notes()).toEqual(['alone']);
      expect(await write((db) => insertNote(db, 'alone')).catch((error: Fault) => error.code)).toBe('already_exists');
    } finally {
      await pool.query('ALTER TABLE notes DROP CONSTRAINT notes_excluded');
    }
  });

  test.each(['40001', '40P01'])('are retried at most five times for SQLSTATE %s', async (code) => {
    let runs = 0;
    const lucky = (luck: number) =>
      write(async (db) => {
        runs += 1;
        if (runs < luck) await db.rows(raise(code));
        return runs;
      });
    expect(await lucky(5)).toBe(5);
    runs = 0;
    await expect(lucky(6)).rejects.toEqual(busyFault);
    expect(runs).toBe(5);
  });

  test('are not retried for other errors', async () => {
    let runs = 0;
    const count = (code: string) =>
      write(async (db) => {
        runs += 1;
        await db.rows(raise(code));
      });
    await expect(count('55P03')).rejects.toEqual(busyFault);
    await expect(count('22012')).rejects.toThrow('raised');
    expect(runs).toBe(2);
  });
});

describe('a lost connection', () => {
  test('ends the running transaction with 503, and the next uses a new connection', async () => {
    const cut = write(async (db, emit) => {
      await insertNote(db, 'gone');
      emit(LeadLost, leadLost());
      const [mine] = await db.rows<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
      await pool.query('SELECT pg_terminate_backend($1)', [mine?.pid]);
      await pause(100);
      await insertNote(db, 'never');
    });
    await expect(cut).rejects.toEqual(busyFault);
    await write(async (db) => await insertNote(db, 'after'));
    expect(await notes()).toEqual(['after']);
    expect(await announced()).toEqual([]);
  });

  test('ends the transaction of a stalled process with 503 and frees its locks', async () => {
    const still = write(async (db) => {
      await insertNote(db, 'gone');
      await db.rows(sql`SELECT suite_hurry()`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      await insertNote(db, 'never');
    });
    await expect(still).rejects.toEqual(busyFault);
    expect(await notes()).toEqual([]);
  });

  test('is replaced unnoticed while idle', async () => {
    await Promise.all(Array.from({ length: 8 }, () => database.requests.query('SELECT pg_sleep(0.02)')));
    await pool.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await pause(100);
    const ten = Array.from({ length: 10 }, (_, turn) => write((db) => insertNote(db, `after ${turn}`)));
    await Promise.all(ten);
    expect(await notes()).toHaveLength(10);
  });

  test('fails only the calls that used it, and the pool recovers', async () => {
    const calls = Array.from({ length: 20 }, (_, turn) =>
      write(async (db) => {
        await insertNote(db, `call ${turn}`);
        await db.rows(sql`SELECT pg_sleep(0.3)`);
      }).then(
        () => 'done',
        (error: unknown) => (error as Fault).status,
      ),
    );
    await pause(150);
    const other = new pg.Client({ connectionString: admin_url });
    await other.connect();
    await other.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await other.end();
    const results = await Promise.all(calls);
    expect(new Set(results)).toEqual(new Set(['done', 503]));
    expect(await notes()).toHaveLength(results.filter((result) => result === 'done').length);
    await write((db) => insertNote(db, 'whole'));
  });
});
