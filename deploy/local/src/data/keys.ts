import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * Creates the missing files of `<directory>/<process>/private.pem` (ES256) and `trusted/<process>.pem`: each process
 * has its own private key and the public keys of all. A process whose signing key is rotated has the second public key
 * `trusted/<process>.second.pem`. `master/001.key` wraps the keys of the process's encrypted fields.
 */
export function makeKeys(directory: string, names: string[]): void {
  const issuers = names.map((name) => ({ name, ...publicKeys(join(directory, name)) }));
  for (const name of names) {
    const master = join(directory, name, 'master');
    mkdirSync(master, { recursive: true, mode: 0o700 });
    if (readdirSync(master).length === 0) writeSecret(join(master, '001.key'), randomBytes(32).toString('base64'));
    const trusted = join(directory, name, 'trusted');
    mkdirSync(trusted, { recursive: true, mode: 0o700 });
    for (const { name: issuer, first, second } of issuers) {
      writeSecret(join(trusted, `${issuer}.pem`), first);
      const file = join(trusted, `${issuer}.second.pem`);
      if (second) writeSecret(file, second);
      else rmSync(file, { force: true });
    }
  }
}

/** Returns the public key of the first of these files that exists, or undefined. */
function publicKeyIn(directory: string, names: readonly string[]): string | undefined {
  const file = names.map((name) => join(directory, name)).find((path) => existsSync(path));
  return file && String(createPublicKey(readFileSync(file, 'utf8')).export({ type: 'spki', format: 'pem' }));
}

/** Returns the public key for signatures. */
const signingPublicKey = (directory: string): string => publicKeyIn(directory, ['signing.pem', 'private.pem'])!;

/** Returns the public key for signatures and, during a rotation, also the next or the previous one. */
function publicKeys(directory: string): { first: string; second: string | undefined } {
  const own = join(directory, 'private.pem');
  if (!existsSync(own)) writeNewKey(directory, 'private.pem');
  chmodSync(own, 0o600);
  return { first: signingPublicKey(directory), second: publicKeyIn(directory, ['next.pem', 'previous.pem']) };
}

function writeNewKey(directory: string, name: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeSecret(join(directory, name), String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
}

/** Time in which every token of the previous key expires, in minutes. Access tokens are valid for 10 minutes. */
const EXPIRY_MIN = 15;

/**
 * Performs the next step of a rotation of a process's signing key. No request fails between the steps, because every
 * process trusts both keys from the first step to the last. The derived secrets of `private.pem` stay the same.
 *
 * 1. A new key is created as `next.pem`, and every process receives its public key.
 * 2. The new key becomes the key for signatures (`signing.pem`). Every process still trusts the previous key.
 * 3. The public key of the previous key (`previous.pem`) is removed.
 *
 * @param now the time, in milliseconds since 1970
 * @returns a sentence with the next action
 * @throws Error if the folder has no key of this process, or if tokens of the previous key can still be valid
 */
export function rotateSigningKey(directory: string, names: string[], name: string, now: number): string {
  const path = (file: string) => join(directory, name, file);
  const publish = () => makeKeys(directory, names);
  if (!names.includes(name)) throw new Error(`"${name}" is not a process. Choose one of ${names.join(', ')}.`);
  if (!existsSync(path('private.pem')))
    throw new Error(`${directory} has no key of ${name}. Enter the folder with the keys of all processes.`);
  const isPublished = () => names.every((each) => existsSync(join(directory, each, 'trusted', `${name}.second.pem`)));
  if (existsSync(path('next.pem')) && isPublished()) {
    writeSecret(path('previous.pem'), signingPublicKey(join(directory, name)));
    renameSync(path('next.pem'), path('signing.pem'));
    publish();
    return `Step 2 of 3: restart ${name}, which then uses its new key. Repeat the command ${EXPIRY_MIN} minutes later.`;
  }
  if (existsSync(path('previous.pem'))) {
    const left_min = Math.ceil(EXPIRY_MIN - (now - statSync(path('previous.pem')).mtimeMs) / 60_000);
    if (left_min > 0)
      throw new Error(`Tokens of the previous key can still be valid. Repeat the command in ${left_min} minutes.`);
    rmSync(path('previous.pem'));
    publish();
    return `Step 3 of 3: the previous key of ${name} is no longer trusted after the next restart of each process.`;
  }
  if (!existsSync(path('next.pem'))) writeNewKey(join(directory, name), 'next.pem');
  publish();
  return 'Step 1 of 3: restart all processes, which then trust the new key. Then repeat the command.';
}

/** Returns the passwords of the services' database roles. Creates them on the first run. */
export function databasePasswords(file: string, names: string[]): Record<string, string> {
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
  const passwords = Object.fromEntries(
    names.map((name) => [name, known[name] ?? randomBytes(24).toString('base64url')]),
  );
  writeSecret(file, `${JSON.stringify({ ...known, ...passwords }, null, 2)}\n`);
  return passwords;
}

/** Writes the file atomically: a secret that a crash cut short would lock out its owner. */
export function writeSecret(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
