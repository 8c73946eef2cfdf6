/** The Debian root with the servers of the cluster, built once and used by later runs. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from '@suite/local/child';
import { LaunchError } from '@suite/local/launch-error';

/** The release. Its PostgreSQL, Patroni, NATS and PgBouncer are recent enough for the suite. */
const RELEASE = 'trixie';
const PACKAGES = [
  'postgresql-17',
  'patroni',
  'python3-etcd',
  'python3-psycopg2',
  'etcd-server',
  'nats-server',
  'pgbouncer',
  'haproxy',
  'iproute2',
  'nftables',
];

/**
 * Builds the root in $1 from the mirror $2. Runs in mounts of its own, so none remains. Debian would start each server
 * that it installs: policy-rc.d prevents that.
 */
const SCRIPT = `
debootstrap --variant=minbase --include=ca-certificates ${RELEASE} "$1" "$2"
printf '#!/bin/sh\\nexit 101\\n' > "$1/usr/sbin/policy-rc.d"
chmod 755 "$1/usr/sbin/policy-rc.d"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
chroot "$1" env DEBIAN_FRONTEND=noninteractive sh -euc '
  apt-get update -q
  apt-get install -q -y --no-install-recommends ${PACKAGES.join(' ')}
  apt-get clean'
`;

/** Contents of a built root. A root with other contents is built again. */
const CONTENTS = JSON.stringify({ release: RELEASE, packages: PACKAGES });
const STAMP = 'etc/suite-cluster.json';

/** Checks if a folder is a complete root with the current packages. */
export const isBuilt = (root: string): boolean =>
  existsSync(join(root, STAMP)) && readFileSync(join(root, STAMP), 'utf8') === CONTENTS;

/** Location of the root and of the log of its construction. */
export interface RootOptions {
  root: string;
  mirror: string;
  log: string;
  signal: AbortSignal;
}

/**
 * Builds the root unless it exists. A failed or interrupted construction leaves nothing that a later run would use.
 * @throws LaunchError with the last line of the log
 */
export async function buildRoot({ root, mirror, log, signal }: RootOptions): Promise<void> {
  if (isBuilt(root)) return;
  const draft = `${root}.new`;
  for (const folder of [root, draft]) rmSync(folder, { recursive: true, force: true });
  rmSync(log, { force: true });
  mkdirSync(draft, { recursive: true });
  const inMounts = ['--mount', '--fork', '--kill-child', 'sh', '-euc', SCRIPT, 'sh', draft, mirror];
  const child = await startChild({ command: 'unshare', args: inMounts, cwd: '/', log });
  // The first process of the new mounts ignores other signals while its child works.
  signal.addEventListener('abort', () => void child.stop('SIGKILL', 0), { once: true });
  const { code } = await child.exited;
  signal.throwIfAborted();
  if (code !== 0) {
    const last = readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '';
    throw new LaunchError(`The Debian root could not be built from ${mirror}: ${last} (log: ${log})`);
  }
  writeFileSync(join(draft, STAMP), CONTENTS);
  renameSync(draft, root);
}
