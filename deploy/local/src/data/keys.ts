import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Creates the missing files of `<directory>/<process>/private.pem` (ES256) and `trusted/<process>.pem`: each process
 * has its own private key and the public keys of all. `master/001.key` wraps the keys of the process's encrypted
 * fields.
 */
export function makeKeys(directory: string, names: string[]): void {
  const publicKeys = names.map((name) => ({ name, pem: publicKeyOf(privateKey(join(directory, name))) }));
  for (const name of names) {
    const master = join(directory, name, 'master');
    mkdirSync(master, { recursive: true, mode: 0o700 });
    if (readdirSync(master).length === 0) writeSecret(join(master, '001.key'), randomBytes(32).toString('base64'));
    const trusted = join(directory, name, 'trusted');
    mkdirSync(trusted, { recursive: true, mode: 0o700 });
    for (const { name: issuer, pem } of publicKeys) {
      writeFileSync(join(trusted, `${issuer}.pem`), pem, { mode: 0o600 });
    }
  }
}

function privateKey(directory: string): string {
  const file = join(directory, 'private.pem');
  if (!existsSync(file)) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeSecret(file, String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })));
  }
  chmodSync(file, 0o600);
  return readFileSync(file, 'utf8');
}

function publicKeyOf(pem: string): string | Buffer {
  return createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'pem' });
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
