/** Placeholders in the API docs for the IDs, addresses and tokens of a workspace, the same on every machine. */
import { createHash } from 'node:crypto';
import type { ExampleCall, Row } from './recorder.ts';

const REFERENCE = /^\$(\w+)(!?)((?:\.\w+)*)$/;

/** Returns the placeholder of an ID, the same on every machine. */
export function documentedId(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex');
  return `01931d2e-${hex.slice(0, 4)}-7${hex.slice(4, 7)}-8${hex.slice(7, 10)}-${hex.slice(10, 22)}`;
}

/** Returns the placeholder for a value of this workspace: an ID, an address, or an invented token. */
function documentedFor(value: string, key: string): string {
  const id = documentedId(key);
  const [, digits = '', letters = ''] = /^.{24}(.{5})(.{5})/.exec(id.toUpperCase()) ?? [];
  if (/^[0-9a-f-]{36}$/.test(value)) return id;
  if (/^https?:\/\//.test(value)) return `https://provider.example${new URL(value).pathname.replace(/\/$/, '')}`;
  if (/^sub_\w{20,}$/.test(value)) return `sub_${id.replaceAll('-', '').slice(0, 24)}`;
  if (/^\d{6}$/.test(value)) return String(parseInt(digits, 16) % 1_000_000).padStart(6, '0');
  if (/^[A-Z0-9]{5}-[A-Z0-9]{5}$/.test(value)) return `${digits}-${letters}`;
  return value.includes('@') ? `grace.${id.slice(9, 13)}@bikes.example` : `token_${id.replaceAll('-', '')}`;
}

/** Replaces every text within a value. */
export function replaceTexts(value: unknown, replace: (text: string, place: string) => unknown, place = ''): unknown {
  if (typeof value === 'string') return replace(value, place);
  if (Array.isArray(value)) return value.map((one, at) => replaceTexts(one, replace, `${place}.${at}`));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, replaceTexts(one, replace, `${place}.${name}`)]),
  );
}

const valueAt = (row: unknown, place: string): string => {
  const found = place
    .split('.')
    .slice(1)
    .reduce((within, name) => (within as Record<string, unknown> | undefined)?.[name], row);
  if (typeof found !== 'string') throw new Error(`No text at ${place} of ${JSON.stringify(row)}.`);
  return found;
};

/**
 * Translates references such as `$lead`, first into documented values, then into values of the workspace.
 * @param record creates the record of a reference. The key separates the references of different calls
 */
export function vocabulary(record: (name: string, key: string) => Promise<Row>) {
  const documented = new Map<string, string>();
  const actual = new Map<string, string>();

  async function word(id: string, text: string): Promise<string> {
    const [, name, own, place = ''] = REFERENCE.exec(text) ?? [];
    if (!name) return text;
    const key = own ? `${name} of ${id}` : name;
    const value = valueAt(await record(name, key), place || '.id');
    const shown = documented.get(value) ?? documentedFor(value, `${key}${place}`);
    documented.set(value, shown);
    actual.set(shown, value);
    return shown;
  }
  return {
    documented: documented as ReadonlyMap<string, string>,
    /** Returns a call with documented values in place of its references. */
    async resolve(id: string, call: ExampleCall): Promise<ExampleCall> {
      const texts = new Set<string>();
      replaceTexts(call, (text) => texts.add(text));
      const found = new Map<string, string>();
      for (const text of texts) found.set(text, await word(id, text));
      return replaceTexts(call, (text) => found.get(text)) as ExampleCall;
    },
    /** Replaces the placeholders of a documented call with values of the workspace. */
    translate: (call: ExampleCall): ExampleCall =>
      replaceTexts(call, (text) => actual.get(text) ?? text) as ExampleCall,
  };
}
