/** Configuration of Patroni on a machine. */
import { type MachineRow, machineRows, NETWORK, PORTS } from './layout.ts';

/** Passwords of PostgreSQL. */
export interface PostgresPasswords {
  superuser: string;
  replication: string;
  rewind: string;
}

/** A quorum of Patroni's smallest `ttl`, 20 s: a lost primary is replaced after at most that time. */
const DCS = {
  ttl: 20,
  loop_wait: 3,
  retry_timeout: 3,
  // A crashed primary is replaced by its synchronous standby immediately, instead of being restarted.
  primary_start_timeout: 0,
  maximum_lag_on_failover: 1_048_576,
  synchronous_mode: true,
  postgresql: {
    use_pg_rewind: true,
    use_slots: true,
    parameters: {
      max_connections: 300,
      shared_buffers: '256MB',
      timezone: 'UTC',
      hot_standby: 'on',
      wal_keep_size: '256MB',
      wal_log_hints: 'on',
      max_wal_size: '2GB',
    },
  },
};

/** Returns the configuration file of Patroni, as JSON, which is YAML, too. @param folder the data of this machine */
export function patroniFile({ name, address }: MachineRow, folder: string, passwords: PostgresPasswords): string {
  const login = (username: string, password: string) => ({ username, password });
  const settings = {
    scope: 'suite',
    name,
    restapi: { listen: `${address}:${PORTS.patroni}`, connect_address: `${address}:${PORTS.patroni}` },
    etcd3: { hosts: machineRows.map((machine) => `${machine.address}:${PORTS.etcd}`) },
    bootstrap: {
      dcs: DCS,
      initdb: [
        { encoding: 'UTF8' },
        { locale: 'C' },
        { 'locale-provider': 'builtin' },
        { 'builtin-locale': 'C.UTF-8' },
        'data-checksums',
      ],
      pg_hba: [`host replication replicator ${NETWORK} scram-sha-256`, `host all all ${NETWORK} scram-sha-256`],
    },
    postgresql: {
      listen: `${address}:${PORTS.postgres}`,
      connect_address: `${address}:${PORTS.postgres}`,
      data_dir: `${folder}/postgres`,
      bin_dir: '/usr/lib/postgresql/17/bin',
      pgpass: `${folder}/pgpass`,
      authentication: {
        superuser: login('postgres', passwords.superuser),
        replication: login('replicator', passwords.replication),
        rewind: login('rewind', passwords.rewind),
      },
      parameters: { unix_socket_directories: folder },
    },
    watchdog: { mode: 'off' },
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}
