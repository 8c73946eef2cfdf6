import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSecret } from './keys.ts';
import type { ProcessRow } from '../processes.ts';

/** The fields that determine the NATS permissions of a process. */
type Part = Pick<ProcessRow, 'name' | 'subscribesTo' | 'listensToSignals'>;

/** File with a process's name and password for NATS, in the folder of its keys. */
export const NATS_CREDENTIALS = 'nats.credentials';

function credentials(directory: string, name: string): string {
  const file = join(directory, name, NATS_CREDENTIALS);
  if (!existsSync(file)) {
    mkdirSync(join(directory, name), { recursive: true, mode: 0o700 });
    writeSecret(file, `${name}:${randomBytes(24).toString('base64url')}\n`);
  }
  return readFileSync(file, 'utf8').trim();
}

/**
 * Returns the permissions of a process: publish its own events and signals, read the streams it subscribes to, and receive
 * replies in its own inbox only.
 */
function permissions({ name, subscribesTo = [], listensToSignals = false }: Part) {
  const own = name.toUpperCase();
  const read = subscribesTo.flatMap((other) => {
    const stream = other.toUpperCase();
    return [
      `$JS.API.STREAM.INFO.${stream}`,
      `$JS.API.STREAM.MSG.GET.${stream}`,
      `$JS.API.CONSUMER.INFO.${stream}.*`,
      `$JS.API.CONSUMER.CREATE.${stream}.*.${other}.>`,
      `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
    ];
  });
  return {
    publish: [
      `${name}.>`,
      `signals.${name}.>`,
      ...['CREATE', 'INFO', 'UPDATE'].map((verb) => `$JS.API.STREAM.${verb}.${own}`),
      ...read,
    ],
    subscribe: [
      `_INBOX_${name}.>`,
      ...subscribesTo.map((other) => `${other}.>`),
      ...(listensToSignals ? ['signals.>'] : []),
    ],
  };
}

/** Time in which a client must send its password, in seconds. The default of NATS. */
const PASSWORD_S = 2;

/**
 * Creates the missing passwords of the processes, and writes the users section of the NATS configuration.
 * @param deadline_factor factor for the time in which a client must send its password
 */
export function natsUsers(directory: string, parts: readonly Part[], deadline_factor = 1): string {
  const users = parts.map((part) => {
    const [user, password] = credentials(directory, part.name).split(':');
    return `    ${JSON.stringify({ user, password, permissions: permissions(part) })}`;
  });
  return `authorization {\n  timeout: ${PASSWORD_S * deadline_factor}\n  users: [\n${users.join(',\n')}\n  ]\n}\n`;
}
