/** Payloads as received from any publisher. Some are not events or not JSON. */
import { createHash } from 'node:crypto';

/** Parses a payload into a value that PostgreSQL can store. Text that is not JSON becomes `undecodable`. */
export function storable(payload: string): unknown {
  const clean = (text: string) => text.replaceAll('\0', '').toWellFormed();
  try {
    return JSON.parse(payload, (_, value) => (typeof value === 'string' ? clean(value) : value));
  } catch {
    return { undecodable: clean(payload) };
  }
}

/** Returns an ID for a message that has none. The ID is the same at each read. */
export function eventIdOf(name: string, payload: string): string {
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(
    createHash('sha256').update(`${name} ${payload}`).digest('hex'),
  )!;
  return `${a}-${b}-8${c}-8${d}-${e}`;
}
