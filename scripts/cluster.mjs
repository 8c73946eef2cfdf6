import { node, openly } from './command.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments } from './words.mjs';

parseArguments({
  command: 'npm run cluster',
  help: `
Usage: npm run cluster [-- options]

Runs the suite on a cluster of its own under 30 writes a second, and causes failures: of PostgreSQL, NATS, etcd, their
machines, and the processes of the suite. Three network namespaces are the machines, with programs of Debian 13, which the
first run installs into a folder. Needs Linux with root, 8 GiB of free memory, and debootstrap. Prints a table. Exits with 1
if an outage is too long, a write is lost or doubled, or the audit finds a violation. A run with every failure takes 20
minutes and writes docs/operations/results/cluster.md.

  --rounds <n>             number of failures (one of each kind unless set)
  --only <name>[,<name>…]  only these failures: postgres, machine, frozen, partition, nats-leader, nats-frozen,
                           etcd-leader, pgbouncer-postgres, pgbouncer-machine, pgbouncer-partition, gateway, or a service
  --data <folder>          folder for the Debian root, data and logs. Defaults to /var/tmp/suite-cluster
  --mirror <url>           Debian mirror. Defaults to the mirror in the sources of apt
  --no-results             do not write docs/operations/results/cluster.md`,
  options: {
    rounds: { type: 'string' },
    only: { type: 'string' },
    data: { type: 'string' },
    mirror: { type: 'string' },
    'no-results': { type: 'boolean' },
  },
});
await setUp({ description: true });
process.exitCode = await openly(node, ['tools/cluster/main.ts', ...process.argv.slice(2)]);
