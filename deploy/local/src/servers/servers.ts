/** Real servers for a laptop and for tests: PostgreSQL and NATS as child processes, on 127.0.0.1 only. */
export { type NatsServer, startNats } from './nats.ts';
export { natsProgram } from './nats-program.ts';
export { NATS_CREDENTIALS, natsUsers } from '../data/nats-users.ts';
export { type PostgresServer, startPostgres } from './postgres.ts';
export { copyServiceDatabase, createServiceDatabase } from './service-database.ts';
