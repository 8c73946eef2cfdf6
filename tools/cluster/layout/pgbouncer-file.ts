/** Configuration of PgBouncer in front of the primary. */
import { FRONT } from './layout.ts';

/**
 * Returns the configuration file of PgBouncer.
 * @param users_file the file with the logins, see `pgbouncerUsers`
 */
export function pgbouncerFile(users_file: string): string {
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: FRONT.pgbouncer,
    auth_type: 'scram-sha-256',
    auth_file: users_file,
    pool_mode: 'transaction',
    max_prepared_statements: 200,
    ignore_startup_parameters: 'options,extra_float_digits',
    max_client_conn: 1_000,
    default_pool_size: 16,
    // After a failed login to PostgreSQL, clients would wait 15 s for the next one. A failover fails logins.
    server_login_retry: 1,
    // A machine that vanishes sends no reset: without this, its connections stay open for minutes.
    tcp_user_timeout: 10_000,
    unix_socket_dir: '',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  return `[databases]\n* = host=127.0.0.1 port=${FRONT.primary}\n\n[pgbouncer]\n${lines.join('\n')}\n`;
}

/** Returns the file with the logins of PgBouncer. @param passwords password by name of the login */
export const pgbouncerUsers = (passwords: Record<string, string>): string =>
  Object.entries(passwords)
    .map(([name, password]) => `"${name}" "${password}"\n`)
    .join('');
