import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { type Installation, POSTGRES_KINDS, type PostgresKind, secretManifests } from './kubernetes-secrets.ts';

const USAGE = `
Usage: node deploy/docker/keys.ts --kubernetes [options] > secrets.yaml

Prints the Secrets of the Helm chart: keys, passwords, and the users of NATS.

  --release <name>     name of the Helm release; by default suite
  --postgres <kind>    postgres.kind of the values: ${POSTGRES_KINDS.join(', ')}; by default single
  --host <host>        host of an external PostgreSQL server or pooler, with its port unless it is 5432
  --direct-host <host> host of the server behind a pooler, for migrations
  --directory <path>   folder that keeps the contents; a further run only adds what is missing

Store the output or the folder apart from the databases: encrypted values cannot be read without the keys.
`;

/** Reads the arguments. @throws Error that names the wrong one */
function readArguments(): { installation: Installation; directory: string | undefined } {
  const text = { type: 'string' } as const;
  const options = {
    kubernetes: { type: 'boolean' },
    release: text,
    postgres: text,
    host: text,
    'direct-host': text,
    directory: text,
  } as const;
  const {
    kubernetes,
    release = 'suite',
    postgres = 'single',
    host,
    directory,
    ...rest
  } = parseArgs({ options }).values;
  const direct = rest['direct-host'];
  const isKind = (kind: string): kind is PostgresKind => (POSTGRES_KINDS as readonly string[]).includes(kind);
  if (!kubernetes) throw new Error('Add --kubernetes. Without it, there is no format to print.');
  if (!/^[a-z]([-a-z0-9]{0,28}[a-z0-9])?$/.test(release))
    throw new Error(`${release} is not the name of a Helm release.`);
  if (!isKind(postgres)) throw new Error(`${postgres} is not a kind. Use ${POSTGRES_KINDS.join(', ')}.`);
  if (postgres === 'external' && !host) throw new Error('Add --host, the host of your PostgreSQL server.');
  if (postgres !== 'external' && (host || direct)) throw new Error('--host is only for --postgres external.');
  const wrong = [host, direct].find((one) => one !== undefined && !/^[a-z0-9][-.a-z0-9]*(:\d+)?$/i.test(one));
  if (wrong) throw new Error(`${wrong} is not a host. Enter one such as db.internal or db.internal:6432.`);
  return { installation: { release, postgres, ...(host && { host }), ...(direct && { direct }) }, directory };
}

/** Prints `data` instead of `stringData`: `kubectl apply` removes keys that are no longer in the file from `data` only. */
function print(directory: string, installation: Installation): void {
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  for (const { stringData, ...secret } of secretManifests(directory, installation)) {
    const data = Object.fromEntries(Object.entries(stringData).map(([key, text]) => [key, encode(text)]));
    process.stdout.write(`---\n${stringify({ ...secret, data }, { lineWidth: 0 })}`);
  }
}

try {
  const { installation, directory } = readArguments();
  if (directory) print(directory, installation);
  else {
    const temporary = mkdtempSync(join(tmpdir(), 'suite-keys-'));
    try {
      print(temporary, installation);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exitCode = 1;
}
