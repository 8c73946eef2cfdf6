/** Meanings of the values of enumerations, which `values.txt` lists once for all fields and parameters of a name. */
import type { Json } from '../schemas.ts';

/** Meanings by value, by the name of a field such as `status`, or by its name and values such as `status(draft|sent)`. */
type Meanings = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The meanings in a text of headers such as `name(a|b)`, each followed by indented lines such as `a: Meaning.` */
export function readMeanings(text: string): Meanings {
  const found = new Map<string, Map<string, string>>();
  let block = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const colon = line.indexOf(': ');
    if (line.startsWith(' ') && colon > 0) block.set(line.slice(0, colon).trim(), line.slice(colon + 2));
    else found.set(line, (block = new Map()));
  }
  return found;
}

/** Fields whose values other parts of the documentation explain: errors, permissions, and the names of fields. */
const EXPLAINED_ELSEWHERE = new Set(['code', 'permissions', 'scopes', 'allowed_actions', 'expand', 'fields', 'sort']);

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Enumerations of a field: its own, and the enumerations of its items, members and alternatives. */
function* enumerationsOf(schema: unknown): Generator<Json & { enum: unknown[] }> {
  if (!isObject(schema)) return;
  if (Array.isArray(schema['enum'])) yield schema as Json & { enum: unknown[] };
  yield* enumerationsOf(schema['items']);
  yield* enumerationsOf(schema['additionalProperties']);
  for (const part of (schema['anyOf'] as unknown[] | undefined) ?? []) yield* enumerationsOf(part);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== 'true' && value !== 'false';
const textsOf = (schema: unknown): string[] => [
  ...new Set([...enumerationsOf(schema)].flatMap((part) => part.enum).filter(isText)),
];

type Visit = (name: string, schema: Json) => void;

/** Visits the properties and the parameters in a part of a document. Parameters of filters such as `status[in]` repeat `status`. */
function visitFields(part: unknown, visit: Visit): void {
  if (Array.isArray(part)) return part.forEach((one) => visitFields(one, visit));
  if (!isObject(part)) return;
  const { properties, in: place, name, schema } = part;
  for (const [property, field] of Object.entries((properties ?? {}) as Json)) {
    if (isObject(field)) visit(property, field);
  }
  if (typeof place === 'string' && typeof name === 'string' && !name.includes('[') && isObject(schema))
    visit(name, schema);
  for (const [key, one] of Object.entries(part)) if (key !== 'example' && key !== 'examples') visitFields(one, visit);
}

/**
 * Adds the meanings of values to each enumeration as `x-enumDescriptions`, which documentation tools show as a table.
 * @returns a copy of the document, the values without a meaning, and the meanings that no enumeration used
 */
export function describeValues(
  document: Json,
  meanings: Meanings,
): { document: Json; missing: string[]; unused: string[] } {
  const described = JSON.parse(JSON.stringify(document)) as Json;
  const missing = new Set<string>();
  const unused = new Set([...meanings].flatMap(([key, block]) => [...block.keys()].map((value) => `${key} ${value}`)));
  visitFields(described, (name, field) => {
    const values = textsOf(field);
    if (EXPLAINED_ELSEWHERE.has(name) || values.length < 2) return;
    const meaningOf = (value: string): [string, string][] => {
      const key = [`${name}(${values.join('|')})`, name].find((candidate) => meanings.get(candidate)?.has(value));
      if (key === undefined) missing.add(`${name}(${values.join('|')}) ${value}`);
      else unused.delete(`${key} ${value}`);
      return key === undefined ? [] : [[value, meanings.get(key)!.get(value)!]];
    };
    const found = Object.fromEntries(values.flatMap(meaningOf));
    for (const part of enumerationsOf(field)) {
      const own = part.enum.filter(isText).filter((value) => value in found);
      if (own.length > 0) part['x-enumDescriptions'] = Object.fromEntries(own.map((value) => [value, found[value]!]));
    }
  });
  return { document: described, missing: [...missing], unused: [...unused] };
}
