/**
 * Keys that wrap the keys of encrypted values: 32 random bytes each, stored as `master/<name>.key` next to the other
 * keys of a process.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A key that encrypts other keys. */
export interface MasterKey {
  name: string;
  bytes: Buffer;
}

/** The master keys of a process. The newest key encrypts new keys; older ones can only decrypt. */
export interface MasterKeys {
  /** @throws an Error if there is no master key */
  newest(): MasterKey;
  /** @throws an Error if the key no longer exists: everything that it wrapped is lost */
  named(name: string): MasterKey;
}

const BYTES = 32;
const SUFFIX = '.key';

/** Returns a single key that is stored in no file, under the name `001`. */
export function masterKeyOf(bytes: Buffer): MasterKeys {
  const only = { name: '001', bytes };
  const named = (name: string) => {
    if (name !== only.name) throw new Error(`Master key "${name}" not found.`);
    return only;
  };
  return { newest: () => only, named };
}

const folderOf = (directory: string) => join(directory, 'master');

function namesIn(directory: string): string[] {
  const folder = folderOf(directory);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith(SUFFIX));
  return files.map((file) => file.slice(0, -SUFFIX.length)).toSorted();
}

function readKey(directory: string, name: string): MasterKey {
  const bytes = Buffer.from(readFileSync(join(folderOf(directory), name + SUFFIX), 'utf8').trim(), 'base64');
  if (bytes.length !== BYTES) throw new Error(`The master key "${name}" does not have ${BYTES} bytes.`);
  return { name, bytes };
}

/**
 * Returns the master keys in a directory. A key added while the process runs is found on first use, and is then the
 * newest.
 */
export function masterKeysIn(directory: string): MasterKeys {
  const known = new Map<string, MasterKey>();
  const named = (name: string) => {
    const key = known.get(name);
    if (key) return key;
    if (!namesIn(directory).includes(name)) throw new Error(`Master key "${name}" not found in KEYS_DIR.`);
    const read = readKey(directory, name);
    known.set(name, read);
    return read;
  };
  const newest = () => {
    const name = namesIn(directory).at(-1);
    if (name === undefined) throw new Error('No master key found in KEYS_DIR.');
    return named(name);
  };
  return { newest, named };
}

/** Creates the next master key of a directory atomically: keys encrypted with a partial key would be lost. */
export function addMasterKey(directory: string): MasterKey {
  const folder = folderOf(directory);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = String(Number(namesIn(directory).at(-1) ?? 0) + 1).padStart(3, '0');
  const file = join(folder, name + SUFFIX);
  writeFileSync(`${file}.new`, randomBytes(BYTES).toString('base64'), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return readKey(directory, name);
}
