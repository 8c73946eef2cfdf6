/** Payloads as they come, from whomever: some are no events, or no JSON. */
import { createHash } from 'node:crypto';

/** Parses JSON into what PostgreSQL can store, whatever it is. */
export function storable(payload: string): unknown {
  const clean = (text: string) => text.replaceAll('\0', '').toWellFormed();
  try {
    return JSON.parse(payload, (_, value) => (typeof value === 'string' ? clean(value) : value));
  } catch {
    return { undecodable: clean(payload) };
  }
}

/** An id for a message that has none, the same whenever it is read. */
export function idOf(name: string, payload: string): string {
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(
    createHash('sha256').update(`${name} ${payload}`).digest('hex'),
  )!;
  return `${a}-${b}-8${c}-8${d}-${e}`;
}
