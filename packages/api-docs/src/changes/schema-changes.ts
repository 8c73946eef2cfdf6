/**
 * Breaking changes of a schema for a client of an earlier release: newly rejected request values, and changed response
 * values.
 */
import type { Json } from '../schemas.ts';

/** Two releases of a document, and the direction of the compared schemas: request or response. */
export interface Comparison {
  before: Json;
  after: Json;
  direction: 'request' | 'response';
  /** Called for a schema that has a name in both releases, so that it is compared once instead of at each use. */
  onNamed: (name: string) => void;
}

const REFERENCE = /^#\/components\/schemas\/(.+)$/;
const nameOf = ({ $ref }: Json): string | undefined => REFERENCE.exec(String($ref ?? ''))?.[1];

/** Returns the schema that a reference points to. */
export function resolve(document: Json, value: unknown): Json {
  const found = (value ?? {}) as Json;
  if (typeof found['$ref'] !== 'string') return found;
  const steps = found['$ref'].split('/').slice(1);
  return resolve(
    document,
    steps.reduce<unknown>((at, step) => (at as Json | undefined)?.[step], document),
  );
}

const objectOf = (value: unknown): Json => (value ?? {}) as Json;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const at = (path: string, name: string): string => (path ? `${path}.${name}` : name);
const tell = (path: string, sentence: string): string => (path ? `${path} ${sentence}` : sentence);

/** Returns the schemas of a union. A value has to fit one of the schemas. */
function alternatives(schema: Json): Json[] {
  const choices = [...list(schema['anyOf']), ...list(schema['oneOf'])] as Json[];
  if (choices.length > 0) return choices.flatMap(alternatives);
  if (!Array.isArray(schema['type'])) return [schema];
  return schema['type'].map((type: unknown) => ({ ...schema, type }));
}

/** Merges the schemas that a value has to fit all at the same time. */
function merged(document: Json, schema: Json): Json {
  const parts = list(schema['allOf']).map((part) => merged(document, resolve(document, part)));
  return parts.reduce((whole, part) => {
    const properties = { ...objectOf(whole['properties']), ...objectOf(part['properties']) };
    return { ...whole, ...part, properties, required: [...list(whole['required']), ...list(part['required'])] };
  }, schema);
}

/** Returns the changes in a schema that break clients of its earlier release. */
export function schemaChanges(comparison: Comparison, before: Json, after: Json, path = ''): string[] {
  const { direction } = comparison;
  // The receiver must accept the values of the sender: old requests in the new release, new responses in old clients.
  const [sent, taken] = direction === 'request' ? [before, after] : [after, before];
  const takers = alternatives(taken);
  const isNull = ({ type }: Json) => type === 'null';
  return alternatives(sent).flatMap((one) => {
    if (isNull(one) && !takers.some(isNull) && takers.every(({ type, $ref }) => type ?? $ref))
      return [tell(path, direction === 'request' ? 'no longer accepts null' : 'can now be null')];
    const tries = takers.map((taker) =>
      direction === 'request' ? changesOf(comparison, one, taker, path) : changesOf(comparison, taker, one, path),
    );
    return tries.toSorted((a, b) => a.length - b.length)[0] ?? [];
  });
}

const compared = new WeakMap<Comparison, Set<string>>();

function changesOf(comparison: Comparison, before: Json, after: Json, path: string): string[] {
  const [oldName, newName] = [nameOf(before), nameOf(after)];
  if (oldName && oldName === newName) {
    comparison.onNamed(oldName);
    return [];
  }
  if (oldName || newName) {
    const pair = `${oldName} ${newName}`;
    const known = compared.get(comparison) ?? new Set();
    compared.set(comparison, known);
    // A recursive schema under another name.
    if (oldName && newName && known.has(pair)) return [];
    known.add(pair);
    const [old, now] = [resolve(comparison.before, before), resolve(comparison.after, after)];
    return schemaChanges(comparison, old, now, path);
  }
  return differences(comparison, merged(comparison.before, before), merged(comparison.after, after), path);
}

const describe = ({ type, format, const: only, enum: words }: Json): string =>
  [type ?? (only === undefined && !words ? 'anything' : 'a fixed value'), format].filter(Boolean).join(' ');

function differences(comparison: Comparison, before: Json, after: Json, path: string): string[] {
  const [sent, taken] = comparison.direction === 'request' ? [before, after] : [after, before];
  const isType = taken['type'] === undefined || taken['type'] === sent['type'];
  const isWider = taken['type'] === 'number' && sent['type'] === 'integer';
  const isWord = sent['type'] === undefined && valuesOf(sent) !== undefined;
  const isFormat = taken['format'] === undefined || taken['format'] === sent['format'] || valuesOf(sent) !== undefined;
  if (!(isType || isWider || isWord) || !isFormat)
    return [tell(path, `changed from ${describe(before)} to ${describe(after)}`)];
  return [
    ...valueChanges(comparison, sent, taken, path),
    ...(comparison.direction === 'request' ? limitChanges(before, after, path) : []),
    ...propertyChanges(comparison, before, after, path),
    ...(before['items'] && after['items']
      ? schemaChanges(comparison, objectOf(before['items']), objectOf(after['items']), `${path}[]`)
      : []),
    ...(isSchema(before['additionalProperties']) && isSchema(after['additionalProperties'])
      ? schemaChanges(comparison, before['additionalProperties'], after['additionalProperties'], `${path}{}`)
      : []),
  ];
}

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const valuesOf = ({ const: only, enum: words }: Json): unknown[] | undefined =>
  only === undefined ? (words as unknown[] | undefined) : [only];

function valueChanges({ direction }: Comparison, sent: Json, taken: Json, path: string): string[] {
  const [offered, accepted] = [valuesOf(sent), valuesOf(taken)];
  if (!accepted) return [];
  const sentence = direction === 'request' ? 'no longer accepts' : 'can now be';
  if (!offered) return [tell(path, `${sentence} anything but ${accepted.map(String).join(', ')}`)];
  const strange = offered.filter((value) => !accepted.includes(value));
  return strange.map((value) => tell(path, `${sentence} ${JSON.stringify(value)}`));
}

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'];

function limitChanges(before: Json, after: Json, path: string): string[] {
  const isNarrower = (name: string, sign: number): boolean => {
    const [old, now] = [before[name], after[name]];
    return now !== undefined && (old === undefined || sign * (Number(now) - Number(old)) > 0);
  };
  const limits = [
    ...LOWER.filter((name) => isNarrower(name, 1)),
    ...UPPER.filter((name) => isNarrower(name, -1)),
    ...(after['pattern'] !== undefined && after['pattern'] !== before['pattern'] ? ['pattern'] : []),
  ];
  return limits.map((name) =>
    tell(path, `changed its ${name} from ${String(before[name] ?? 'none')} to ${after[name]}`),
  );
}

function propertyChanges(comparison: Comparison, before: Json, after: Json, path: string): string[] {
  const [old, now] = [objectOf(before['properties']), objectOf(after['properties'])];
  const isRequest = comparison.direction === 'request';
  const removed = Object.keys(old).filter((name) => !(name in now));
  const [sent, taken] = isRequest ? [before, after] : [after, before];
  const needed = list(taken['required']).map(String);
  const missing = needed.filter((name) => !list(sent['required']).includes(name) && !removed.includes(name));
  const kept = Object.keys(old).filter((name) => name in now);
  return [
    ...removed.map((name) => tell(at(path, name), isRequest ? 'is no longer accepted' : 'was removed')),
    ...missing
      .filter((name) => !isRequest || objectOf(now[name])['default'] === undefined)
      .map((name) => tell(at(path, name), isRequest ? 'is now required' : 'can now be missing')),
    ...kept.flatMap((name) => schemaChanges(comparison, objectOf(old[name]), objectOf(now[name]), at(path, name))),
  ];
}
