/**
 * Keys of a workspace's encrypted values, in the service's table `data_keys`, each wrapped with a master key. Columns:
 * `id`, `purpose` (`values` or `index`), `wrapped`, `master`, `current`. Each purpose has one current key.
 */
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { type WorkspaceDatabase, regardlessOfVisibility, type Sql, sql } from '@suite/chassis/database';
import type { MasterKeys } from '@suite/chassis/identity';
import { LRUCache } from 'lru-cache';
import { blindIndex, type Key, DecryptionFailed, open, type CipherLocation, encrypt } from './cipher.ts';

/** The database of a service that has the table `data_keys`. */
type Db = WorkspaceDatabase<object>;
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

const placeOf = (id: string): CipherLocation => ({ table: 'data_keys', column: 'wrapped', id });

/** Creates a data key, wrapped with the newest master key. */
export function newDataKey(master: MasterKeys, workspace_id: string, purpose: Purpose): DataKeyRow {
  const row = { id: randomUUIDv7(), workspace_id, purpose, current: true };
  return wrap(master, row, randomBytes(32));
}

/** Wraps a data key with the newest master key. */
function wrap(master: MasterKeys, row: Omit<DataKeyRow, 'wrapped' | 'master'>, bytes: Buffer): DataKeyRow {
  const newest = master.newest();
  const wrapped = encrypt(newest, row.workspace_id, placeOf(row.id), bytes.toString('base64'));
  return { ...row, wrapped, master: newest.name };
}

/** Cache of unwrapped keys. Unwrapping needs a decryption, and a list opens hundreds of values. */
const unwrapped = new WeakMap<MasterKeys, LRUCache<string, Key>>();

function unwrappedBy(master: MasterKeys): LRUCache<string, Key> {
  const known = unwrapped.get(master) ?? new LRUCache<string, Key>({ max: 1_000 });
  unwrapped.set(master, known);
  return known;
}

/**
 * Returns the data key of a row. @throws DecryptionFailed if it was changed or moved, an Error if its master key is missing
 */
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

/** Returns the same data key, wrapped with the newest master key. */
export const rewrap = (master: MasterKeys, row: DataKeyRow): DataKeyRow => wrap(master, row, unwrap(master, row).bytes);

/** Decrypts and encrypts the values of a workspace, within one transaction. */
export interface FieldCipher {
  /** @throws DecryptionFailed if the value was changed or moved from another place, or if its key is missing */
  open(place: CipherLocation, sealed: string): string;
  seal(place: CipherLocation, text: string): string;
  /** Returns the blind index of a value, for look-ups and uniqueness. @throws an Error if values are only read */
  index(field: string, value: string): Buffer;
}

const columns = sql`id, workspace_id, purpose, wrapped, master, current`;
const keys = (db: Db, lock: Sql) => db.rows<DataKeyRow>(sql`SELECT ${columns} FROM data_keys ${lock}`);

/** Decrypts and encrypts with keys that were read. */
export function cipherOf(master: MasterKeys, workspace_id: string, rows: readonly DataKeyRow[]): FieldCipher {
  const byName = new Map(rows.map((row) => [row.id, row]));
  const currentKey = (wanted: Purpose): Key => {
    const row = rows.find(({ purpose, current }) => current && purpose === wanted);
    if (!row) throw new Error(`The workspace has no ${wanted} key.`);
    return unwrap(master, row);
  };
  return {
    open: (place, sealed) =>
      open(
        (name) => {
          const row = byName.get(name);
          if (!row) throw new DecryptionFailed(place, 'its key is not one of this workspace');
          return unwrap(master, row);
        },
        workspace_id,
        place,
        sealed,
      ),
    seal: (place, text) => encrypt(currentKey('values'), workspace_id, place, text),
    index: (field, value) => blindIndex(currentKey('index'), field, value),
  };
}

/** Returns the decryption for a query, which only reads. The keys are hidden from all callers. */
export async function openDecryption(db: Db, master: MasterKeys): Promise<Pick<FieldCipher, 'open'>> {
  const rows = await regardlessOfVisibility(() => keys(db, sql``));
  return cipherOf(master, rows[0]?.workspace_id ?? '', rows);
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
 * Opens the encrypted values for a command. The first command of a workspace creates its keys. The keys are locked
 * until the transaction ends, so that no key is retired while this transaction encrypts with it.
 */
export async function openEncryption(db: Db, master: MasterKeys): Promise<FieldCipher> {
  const current = async () => {
    const rows = await keys(db, sql`WHERE current ORDER BY id FOR SHARE`);
    return rows.length === 2 ? rows : undefined;
  };
  // A transaction that waited here for a rotation needs a second statement to see the new key.
  if (!(await current()) && !(await current())) {
    await provideKeys(db, master);
    if (!(await current())) throw new Error('The keys of the workspace could not be created.');
  }
  const rows = await keys(db, sql``);
  return cipherOf(master, rows[0]!.workspace_id, rows);
}
