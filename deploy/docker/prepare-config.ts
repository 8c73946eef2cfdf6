/** The settings of the step that prepares a deployment. */
export interface PrepareConfig {
  admin_url: string;
  keys: string;
  /** The users file of NATS. */
  nats_users: string;
  passwords: Record<string, string>;
}

/** Reads the settings. Reports the first variable that is missing. */
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
