/**
 * The keys of a workspace's sealed values, in the service's table `data_keys`, each wrapped with a master key. Columns: `id`,
 * `purpose` (`values` or `index`), `wrapped`, `master`, `current`; one current key of each purpose.
 */
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { type Confined, type MasterKeys, regardlessOfVisibility, type Sql, sql } from '@suite/chassis';
import { LRUCache } from 'lru-cache';
import { blindIndex, type Key, NotOpened, open, type Place, seal } from './cipher.ts';

/** The database of a service that has the table `data_keys`. */
type Db = Confined<object>;
type Purpose = 'values' | 'index';

/** A row of `data_keys`. */
export interface DataKeyRow {
  id: string;
  workspace_id: string;
  purpose: Purpose;
  wrapped: string;
  master: string;
  current: boolean;
}

const placeOf = (id: string): Place => ({ table: 'data_keys', column: 'wrapped', id });

/** Makes a data key, wrapped with the newest master key. */
export function newDataKey(master: MasterKeys, workspace_id: string, purpose: Purpose): DataKeyRow {
  const row = { id: randomUUIDv7(), workspace_id, purpose, current: true };
  return wrap(master, row, randomBytes(32));
}

/** Wraps a data key with the newest master key. */
function wrap(master: MasterKeys, row: Omit<DataKeyRow, 'wrapped' | 'master'>, bytes: Buffer): DataKeyRow {
  const newest = master.newest();
  const wrapped = seal(newest, row.workspace_id, placeOf(row.id), bytes.toString('base64'));
  return { ...row, wrapped, master: newest.name };
}

/** Unwrapping costs a decryption, and a list opens hundreds of values. */
const unwrapped = new WeakMap<MasterKeys, LRUCache<string, Key>>();

function unwrappedBy(master: MasterKeys): LRUCache<string, Key> {
  const known = unwrapped.get(master) ?? new LRUCache<string, Key>({ max: 1_000 });
  unwrapped.set(master, known);
  return known;
}

/** The data key of a row. @throws NotOpened when it was changed or moved, an Error when its master key is lost */
export function unwrap(master: MasterKeys, { id, workspace_id, wrapped }: DataKeyRow): Key {
  const known = unwrappedBy(master);
  const place = `${workspace_id} ${id} ${wrapped}`;
  const before = known.get(place);
  if (before) return before;
  const bytes = Buffer.from(
    open((name) => master.named(name), workspace_id, placeOf(id), wrapped),
    'base64',
  );
  const key = { name: id, bytes };
  known.set(place, key);
  return key;
}

/** The same data key, wrapped with the newest master key. */
export const rewrap = (master: MasterKeys, row: DataKeyRow): DataKeyRow => wrap(master, row, unwrap(master, row).bytes);

/** Opens and seals the values of a workspace, within one transaction. */
export interface Sealed {
  /** @throws NotOpened when the value was changed, was moved from another place, or its key is lost */
  open(place: Place, sealed: string): string;
  seal(place: Place, text: string): string;
  /** The blind index of a value: it is found by it, and unique by it. @throws an Error where values are only read */
  index(field: string, value: string): Buffer;
}

const columns = sql`id, workspace_id, purpose, wrapped, master, current`;
const keys = (db: Db, lock: Sql) => db.rows<DataKeyRow>(sql`SELECT ${columns} FROM data_keys ${lock}`);

/** Opens and seals with keys that were read. */
export function sealedWith(master: MasterKeys, workspace_id: string, rows: readonly DataKeyRow[]): Sealed {
  const byName = new Map(rows.map((row) => [row.id, row]));
  const currentKey = (wanted: Purpose): Key => {
    const row = rows.find(({ purpose, current }) => current && purpose === wanted);
    if (!row) throw new Error(`The workspace has no key for ${wanted}.`);
    return unwrap(master, row);
  };
  return {
    open: (place, sealed) =>
      open(
        (name) => {
          const row = byName.get(name);
          if (!row) throw new NotOpened(place, 'its key is not one of this workspace');
          return unwrap(master, row);
        },
        workspace_id,
        place,
        sealed,
      ),
    seal: (place, text) => seal(currentKey('values'), workspace_id, place, text),
    index: (field, value) => blindIndex(currentKey('index'), field, value),
  };
}

/** For a query, which only reads. The keys are no caller's to see. */
export async function readSealed(db: Db, master: MasterKeys): Promise<Pick<Sealed, 'open'>> {
  const rows = await regardlessOfVisibility(() => keys(db, sql``));
  return sealedWith(master, rows[0]?.workspace_id ?? '', rows);
}

async function provideKeys(db: Db, master: MasterKeys): Promise<void> {
  const [here] = await db.rows<{ id: string }>(sql`SELECT current_setting('suite.workspace_id') AS id`);
  for (const purpose of ['values', 'index'] as const) {
    const { id, wrapped, master: name } = newDataKey(master, here!.id, purpose);
    await db.rows(sql`
      INSERT INTO data_keys (id, purpose, wrapped, master) VALUES (${id}::uuid, ${purpose}, ${wrapped}, ${name})
      ON CONFLICT (workspace_id, purpose) WHERE current DO NOTHING`);
  }
}

/**
 * For a command. The first one of a workspace makes its keys. The keys are locked until the transaction ends, so that none is
 * retired with which this transaction still seals.
 */
export async function openSealed(db: Db, master: MasterKeys): Promise<Sealed> {
  const current = async () => {
    const rows = await keys(db, sql`WHERE current ORDER BY id FOR SHARE`);
    return rows.length === 2 ? rows : undefined;
  };
  // A transaction that waited here for a rotation sees the new key by a statement of its own.
  if (!(await current()) && !(await current())) {
    await provideKeys(db, master);
    if (!(await current())) throw new Error('The keys of the workspace cannot be made.');
  }
  const rows = await keys(db, sql``);
  return sealedWith(master, rows[0]!.workspace_id, rows);
}
