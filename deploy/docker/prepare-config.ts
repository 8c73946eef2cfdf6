/** Settings for the databases and roles of services. */
export interface DatabasesConfig {
  /** Address of the server, with a superuser. */
  admin_url: string;
  /** Password of each service. */
  passwords: Record<string, string>;
}

/** Settings for keys. */
export interface KeysConfig {
  /** Folder with a folder for each process. */
  keys: string;
  /** The users file of NATS. */
  nats_users: string;
}

/** Reads the settings for databases. Reports the first variable that is missing. */
export function databasesConfig(services: readonly string[]): DatabasesConfig {
  return {
    admin_url: read('ADMIN_URL'),
    passwords: Object.fromEntries(services.map((name) => [name, read(`${name.toUpperCase()}_PASSWORD`)])),
  };
}

/** Reads the settings for keys. Reports the first variable that is missing. */
export const keysConfig = (): KeysConfig => ({ keys: read('KEYS'), nats_users: read('NATS_USERS') });

function read(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing.`);
  return value;
}
