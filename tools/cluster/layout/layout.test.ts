import { describe, expect, test } from '@jest/globals';
import { processes } from '@suite/local/processes';
import { etcdArguments } from './etcd-arguments.ts';
import { haproxyFile } from './haproxy-file.ts';
import { balanced, FRONT, machineRows, PORTS, serviceNames } from './layout.ts';
import { natsFile, natsUrl } from './nats-file.ts';
import { patroniFile } from './patroni-file.ts';
import { pgbouncerFile, pgbouncerUsers } from './pgbouncer-file.ts';

const [machine] = machineRows as [(typeof machineRows)[number]];

describe('the layout of the cluster', () => {
  test('has two processes of the gateway and of every service of the table', () => {
    expect(serviceNames).toEqual(processes.flatMap(({ name, service }) => (service ? name : [])));
    const all = [balanced.api, ...balanced.http, ...balanced.grpc];
    expect(all.map(({ replicas }) => replicas.length)).toEqual(all.map(() => 2));
  });

  test('assigns each port once', () => {
    const all = [balanced.api, ...balanced.http, ...balanced.grpc];
    const ports = all.flatMap(({ port, replicas }) => [port, ...replicas.map((one) => one.port)]);
    expect(new Set([...ports, FRONT.primary, FRONT.pgbouncer]).size).toBe(ports.length + 2);
  });
});

describe('the configuration of HAProxy', () => {
  const file = haproxyFile();

  test('sends writes to the machine that Patroni reports as primary', () => {
    expect(file).toContain('option httpchk GET /primary');
    for (const { name, address } of machineRows)
      expect(file).toContain(`server ${name} ${address}:${PORTS.postgres} check port ${PORTS.patroni}`);
  });

  test('checks each replica at its health port', () => {
    for (const { replicas } of [balanced.api, ...balanced.http])
      for (const { name, port, operations_port } of replicas)
        expect(file).toContain(`server ${name} 127.0.0.1:${port} check inter 1s port ${operations_port}`);
    for (const { name: service, replicas } of balanced.grpc)
      for (const { name, port } of replicas)
        expect(file).toContain(`server ${name} 127.0.0.1:${port} track ${service}-http/${name}`);
  });

  test('closes no connection of a client when a server is down', () => {
    expect(file).not.toContain('shutdown-sessions');
  });
});

describe('the configuration of a machine', () => {
  const passwords = { superuser: 'a', replication: 'b', rewind: 'c' };

  test('replicates PostgreSQL synchronously, and listens on its own address only', () => {
    const { bootstrap, postgresql, etcd3 } = JSON.parse(patroniFile(machine, '/cluster/machine-1', passwords));
    expect(bootstrap.dcs.synchronous_mode).toBe(true);
    expect(postgresql.listen).toBe(`${machine.address}:5432`);
    expect(postgresql.data_dir).toBe('/cluster/machine-1/postgres');
    expect(etcd3.hosts).toHaveLength(3);
  });

  test('flushes each message of NATS to disk and knows all servers', () => {
    const file = natsFile(machine, '/cluster/machine-1', 'authorization { users: [] }');
    expect(file).toContain('sync_interval: always');
    for (const { address } of machineRows) expect(file).toContain(`nats://${address}:${PORTS.nats_routes}`);
    expect(file).toContain('authorization');
    expect(natsUrl.split(',')).toHaveLength(3);
  });

  test('names all members of etcd', () => {
    const words = etcdArguments(machine, '/cluster/machine-1');
    expect(words[words.indexOf('--initial-cluster') + 1]?.split(',')).toHaveLength(3);
  });
});

describe('the configuration of PgBouncer', () => {
  test('pools transactions with prepared statements in front of the primary', () => {
    const file = pgbouncerFile('/cluster/users.txt');
    expect(file).toContain('pool_mode = transaction\n');
    expect(file).toContain('max_prepared_statements = 200\n');
    expect(file).toContain(`* = host=127.0.0.1 port=${FRONT.primary}\n`);
    expect(pgbouncerUsers({ crm: 'x' })).toBe('"crm" "x"\n');
  });
});
