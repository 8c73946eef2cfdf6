/** The keys that wrap the keys of sealed values: 32 random bytes each, in `master/<name>.key` beside the other keys of a process. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A key that wraps others. */
export interface MasterKey {
  name: string;
  bytes: Buffer;
}

/** The master keys of a process: what is new is wrapped with the newest, older ones are there to read. */
export interface MasterKeys {
  /** @throws an Error when there is none */
  newest(): MasterKey;
  /** @throws an Error when it is not there any more: what it wrapped is lost without it */
  named(name: string): MasterKey;
}

const BYTES = 32;
const SUFFIX = '.key';

/** One key that lies in no file, under the name `001`. */
export function masterKeyOf(bytes: Buffer): MasterKeys {
  const only = { name: '001', bytes };
  const named = (name: string) => {
    if (name !== only.name) throw new Error(`The master key "${name}" is not there.`);
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

/** The master keys in a directory. One that comes while the process runs is found when somebody names it, and is the newest then. */
export function masterKeysIn(directory: string): MasterKeys {
  const known = new Map<string, MasterKey>();
  const named = (name: string) => {
    const key = known.get(name);
    if (key) return key;
    if (!namesIn(directory).includes(name)) throw new Error(`The master key "${name}" is not there.`);
    const read = readKey(directory, name);
    known.set(name, read);
    return read;
  };
  const newest = () => {
    const name = namesIn(directory).at(-1);
    if (name === undefined) throw new Error('There is no master key.');
    return named(name);
  };
  return { newest, named };
}

/** Makes the next master key of a directory: whole or not at all, as what is wrapped with half a key is lost. */
export function addMasterKey(directory: string): MasterKey {
  const folder = folderOf(directory);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = String(Number(namesIn(directory).at(-1) ?? 0) + 1).padStart(3, '0');
  const file = join(folder, name + SUFFIX);
  writeFileSync(`${file}.new`, randomBytes(BYTES).toString('base64'), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return readKey(directory, name);
}
