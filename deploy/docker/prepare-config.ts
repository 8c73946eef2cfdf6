/** The settings of a deployment's preparing step. */
export interface PrepareConfig {
  admin_url: string;
  keys: string;
  /** The file that NATS reads its users from. */
  nats_users: string;
  passwords: Record<string, string>;
}

/** Reads it, and names the first variable that is missing. */
export function prepareConfig(services: string[]): PrepareConfig {
  return {
    admin_url: read('ADMIN_URL'),
    keys: read('KEYS'),
    nats_users: read('NATS_USERS'),
    passwords: Object.fromEntries(services.map((name) => [name, read(`${name.toUpperCase()}_PASSWORD`)])),
  };
}

function read(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing.`);
  return value;
}
