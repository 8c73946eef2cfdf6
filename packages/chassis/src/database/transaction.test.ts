import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { sqltag as sql } from '@prisma/client/runtime/client';
import { LeadLost } from '@suite/proto/crm/v1/events';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { busyFault, leadLost, insertNote, openNotes } from '../../test/notes.ts';
import type { RowReader } from './database.ts';
import { type Fault, fault } from '../runtime/fault.ts';
import { oncePerTransaction } from './records.ts';
import { control, execute } from './running.ts';
import { withSavepoint, enterWorkspace, everyWorkspace, violatedConstraint } from './transaction.ts';

let woken = 0;
const { database, pool, workspace_id, at, write, notes, announced } = await openNotes(() => {
  woken += 1;
});
await pool.query('ALTER TABLE notes ADD CONSTRAINT notes_text_key UNIQUE (workspace_id, text)');
await pool.query("ALTER TABLE notes ADD CONSTRAINT notes_text_check CHECK (text <> 'forbidden')");
beforeEach(() => {
  woken = 0;
});

const Refused = fault(409, 'refused', 'This is refused.');

describe('a transaction', () => {
  test('commits all of its writes or none', async () => {
    await write(async (db, emit) => {
      await insertNote(db, 'kept');
      emit(LeadLost, leadLost());
    });
    const failing = write(async (db, emit) => {
      await insertNote(db, 'gone');
      emit(LeadLost, leadLost());
      throw Refused();
    });
    await expect(failing).rejects.toMatchObject({ code: 'refused' });
    expect(await notes()).toEqual(['kept']);
    expect(await announced()).toHaveLength(1);
    expect(woken).toBe(1);
  });

  test('reads a value once per key, in each transaction again', async () => {
    const reads: string[] = [];
    const read = oncePerTransaction(async (db: RowReader, text) => {
      reads.push(text);
      return await db.rows(sql`SELECT text FROM notes WHERE text = ${text}`);
    });
    const work = async (db: RowReader) => [await read(db, 'one'), await read(db, 'two'), await read(db, 'one')];
    expect(await write(work)).toEqual([[], [], []]);
    expect(reads).toEqual(['one', 'two']);
    await write((db) => insertNote(db, 'one'));
    expect(await write(work)).toEqual([[{ text: 'one' }], [], [{ text: 'one' }]]);
    expect(reads).toHaveLength(4);
  });

  test('wakes the relay only for events, and only after the commit', async () => {
    await write(async (db) => await insertNote(db, 'quiet'));
    expect(woken).toBe(0);
    await write(async (_, emit) => {
      emit(LeadLost, leadLost());
      await pause(20);
      expect(woken).toBe(0);
    });
    expect(woken).toBe(1);
  });

  test('reports what the database rejects, including checks at the commit', async () => {
    await pool.query(
      'CREATE TABLE late (workspace_id uuid, text text CONSTRAINT late_text_key UNIQUE DEFERRABLE INITIALLY DEFERRED)',
    );
    await pool.query('GRANT ALL ON late TO suite_confined');
    const twice = write((db) => db.rows(sql`INSERT INTO late (text) VALUES ('a'), ('a')`));
    await expect(twice).rejects.toMatchObject({ status: 409, errors: { text: [expect.any(String)] } });
  });

  test('is one snapshot for a reader, regardless of concurrent writes', async () => {
    const count = (db: RowReader) => db.rows<{ count: number }>(sql`SELECT count(*) FROM notes`);
    const seen = await database.read(at(), async (db) => {
      const before = await count(db);
      await write(async (other) => await insertNote(other, 'meanwhile'));
      return [before, await count(db)];
    });
    expect(seen).toEqual([[{ count: 0 }], [{ count: 0 }]]);
  });

  test('returns values as JSON shows them', async () => {
    const [row] = await database.read(at(), (db) =>
      db.rows(sql`SELECT 1.50::numeric AS amount, '2026-11-21'::date AS day, '09:30'::time AS time, 5::bigint AS count,
        '2026-11-21T05:11:37.275+02:00'::timestamptz AS instant, '2026-11-21T05:11:37Z'::timestamptz AS second,
        '0999-11-21T05:11:37.2Z'::timestamptz AS early, '2026-11-21T05:11:37.275999Z'::timestamptz AS finer, true AS yes, '{"a":1}'::jsonb AS json`),
    );
    expect(row).toEqual({
      amount: '1.50',
      day: '2026-11-21',
      time: '09:30:00',
      count: 5,
      yes: true,
      json: { a: 1 },
      instant: '2026-11-21T03:11:37.275Z',
      second: '2026-11-21T05:11:37.000Z',
      early: '0999-11-21T05:11:37.200Z',
      finer: '2026-11-21T05:11:37.275Z',
    });
  });

  test('returns 503 if it gets no connection in time', async () => {
    const { options } = database.requests;
    const { connectionTimeoutMillis } = options;
    const held = await Promise.all(Array.from({ length: 8 }, () => database.requests.connect()));
    options.connectionTimeoutMillis = 200;
    try {
      await expect(write((db) => insertNote(db, 'late'))).rejects.toEqual(busyFault);
    } finally {
      for (const client of held) client.release();
      Object.assign(options, { connectionTimeoutMillis });
    }
    await write((db) => insertNote(db, 'in time'));
    expect(await notes()).toEqual(['in time']);
  });
});

describe('an attempt', () => {
  test('rolls back only itself and its events when it fails', async () => {
    const lead_id = randomUUID();
    await write(async (db, emit) => {
      await insertNote(db, 'before');
      emit(LeadLost, leadLost(lead_id));
      const failed = await withSavepoint(async () => {
        await insertNote(db, 'within');
        emit(LeadLost, leadLost());
        await insertNote(db, 'before');
      }).catch((error: unknown) => error);
      expect(failed).toMatchObject({ status: 409, code: 'already_exists', errors: { text: [expect.any(String)] } });
      expect(violatedConstraint(failed)).toBe('notes_text_key');
      await insertNote(db, 'after');
    });
    expect(await notes()).toEqual(['after', 'before']);
    expect((await announced()).map((event) => event.aggregate_id)).toEqual([lead_id]);
  });

  test('keeps its changes and returns its result if it succeeds', async () => {
    const given = await write(async (db, emit) => {
      const result = await withSavepoint(async () => {
        emit(LeadLost, leadLost());
        await insertNote(db, 'stays');
        return 7;
      });
      await expect(withSavepoint(() => Promise.reject(new TypeError('ours')))).rejects.toThrow(TypeError);
      return result;
    });
    expect(given).toBe(7);
    expect(await notes()).toEqual(['stays']);
    expect(await announced()).toHaveLength(1);
  });

  test('does not affect later work', async () => {
    const failing = write(async (db) => {
      await insertNote(db, 'once');
      await withSavepoint(() => insertNote(db, 'once')).catch(() => undefined);
      throw new TypeError('an unexpected error');
    });
    await expect(failing).rejects.toThrow(TypeError);
  });
});

test('identifies the violated constraint for its own error only', async () => {
  await write(async (db) => {
    const refused = await withSavepoint(() => insertNote(db, 'forbidden')).catch((error: unknown) => error);
    // A check violation is a bug, not a caller's error.
    expect(refused).toMatchObject({ code: '23514' });
    expect(violatedConstraint(refused)).toBeUndefined();
  });
  expect(violatedConstraint(Refused())).toBeUndefined();
  expect(violatedConstraint(new Error('any'))).toBeUndefined();
});

describe('a transaction without a workspace', () => {
  const nowhere = at({ workspace_id: null });

  test('cannot emit events before it has entered a workspace', async () => {
    await expect(write(async (_, emit) => emit(LeadLost, leadLost()), nowhere)).rejects.toThrow(
      'An event needs a workspace.',
    );
  });

  test('enters the found workspace once, as the given user', async () => {
    const actor = randomUUID();
    await write(async (db, emit) => {
      await enterWorkspace(workspace_id, actor);
      await insertNote(db, 'entered');
      emit(LeadLost, leadLost());
      const [row] = await db.rows<{ actor: string }>(sql`SELECT suite_actor_id() AS actor`);
      expect(row?.actor).toBe(actor);
      await expect(enterWorkspace(randomUUID(), null)).rejects.toThrow('already has a workspace');
    }, nowhere);
    expect(await notes()).toEqual(['entered']);
    expect(await announced()).toMatchObject([{ workspace_id, actor: { user_id: actor } }]);
  });

  test('can enter without a user', async () => {
    await write(async (db, emit) => {
      await enterWorkspace(workspace_id, null);
      emit(LeadLost, leadLost());
      expect(await db.rows(sql`SELECT suite_actor_id() AS actor`)).toEqual([{ actor: null }]);
    }, nowhere);
    expect(await announced()).toMatchObject([{ actor: null }]);
  });

  test('leaves no state on the connection', async () => {
    await write(async () => await enterWorkspace(workspace_id, randomUUID()), nowhere);
    const reads = Array.from({ length: 8 }, () => write((db) => db.rows(sql`SELECT * FROM notes`), nowhere));
    const results = await Promise.allSettled(reads);
    expect(results.map(({ status }) => status)).toEqual(Array(8).fill('rejected'));
  });
});

test('a transaction with a workspace cannot enter another', async () => {
  await expect(write(() => enterWorkspace(randomUUID(), null))).rejects.toThrow('already has a workspace');
});

test('everyWorkspace ends its transaction even if the work fails', async () => {
  const other = randomUUID();
  await pool.query("INSERT INTO notes VALUES ($1, 'theirs')", [other]);
  await write(async (db) => {
    await everyWorkspace(db, async () => await Promise.reject(new Error('no matter'))).catch(() => undefined);
    expect(await db.rows(sql`SELECT text FROM notes`)).toEqual([]);
    expect(await everyWorkspace(db, (all) => all.rows(sql`SELECT text FROM notes`))).toEqual([{ text: 'theirs' }]);
  });
  const failing = write((db) => everyWorkspace(db, (all) => all.rows(sql`SELECT 1 / 0`)));
  await expect(failing).rejects.toThrow('division by zero');
});

test('uses no connection for work without statements', async () => {
  const { requests } = database;
  const taken = () => requests.totalCount - requests.idleCount;
  const idle = Array.from({ length: 40 }, () => write(async () => await pause(20, taken)));
  for (const one of await Promise.all(idle)) expect(one()).toBe(0);
});

test('runs pipelined statements one after another, each in its own role', async () => {
  const answers = await write((db) =>
    Promise.all([insertNote(db, 'one'), db.rows(sql`SELECT text FROM notes`), insertNote(db, 'two')]),
  );
  expect(answers[1]).toEqual([{ text: 'one' }]);
});

test('replaces the connection to a server that has become a replica', async () => {
  const replaced = once(database.requests, 'remove');
  const writing = write(async (db) => {
    await control('SET TRANSACTION READ ONLY');
    await insertNote(db, 'late');
  });
  await expect(writing).rejects.toEqual(busyFault);
  await replaced;
});

test('treats a write in a transaction that only reads as a bug', async () => {
  const reading = database.read(at(), (db) => insertNote(db, 'wrong'));
  await expect(reading).rejects.toMatchObject({ message: expect.stringContaining('read-only transaction') });
});

test('sends nothing outside a transaction', () => {
  expect(() => execute('SELECT 1', [])).toThrow('outside of a transaction');
});

test('each event of concurrent and failed writes has a position of its own', async () => {
  const lead_id = randomUUID();
  const calls = Array.from({ length: 60 }, (_, turn) =>
    write(async (_db, emit) => {
      emit(LeadLost, leadLost(lead_id));
      if (turn % 3 === 0) emit(LeadLost, leadLost(lead_id));
      if (turn % 2) throw Refused();
    }).catch((error: unknown) => (error as Fault).code),
  );
  expect((await Promise.all(calls)).filter((code) => code === 'refused')).toHaveLength(30);
  const events = await announced();
  expect(new Set(events.map(({ position }) => position)).size).toBe(40);
});
