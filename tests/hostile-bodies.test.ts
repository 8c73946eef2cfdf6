import { describe, expect, test } from '@jest/globals';
import { operationsOf } from '@suite/chassis/declarations';
import { parse } from '@suite/chassis/testing';
import { declaredServices } from '@suite/testing/declared';

/** A schema of a body or of a part. */
type Schema = Parameters<typeof parse>[0];

/** The parts of a schema definition that contain other schemas. */
interface Parts {
  type: string;
  shape?: Record<string, Schema>;
  innerType?: Schema;
  element?: Schema;
  valueType?: Schema;
  in?: Schema;
  out?: Schema;
  left?: Schema;
  options?: readonly Schema[];
  items?: readonly Schema[];
}

/** A place in a body. Builds the body with a value at that place. */
type Place = readonly [path: string, bodyWith: (value: unknown) => unknown];

/** Returns every place of a body that a schema describes. */
function placesOf(schema: Schema, path = 'body', within: readonly Schema[] = []): Place[] {
  if (within.includes(schema)) return [];
  const { shape, innerType, element, valueType, in: from, out, left, options, items } = schema.def as unknown as Parts;
  const inside = (inner: Schema | undefined, name: string, wrap: (value: unknown) => unknown): Place[] =>
    inner
      ? placesOf(inner, `${path}${name}`, [...within, schema]).map(([at, make]) => [at, (value) => wrap(make(value))])
      : [];
  const same = (value: unknown) => value;
  return [
    [path, same],
    ...Object.entries(shape ?? {}).flatMap(([name, field]) =>
      inside(field, `.${name}`, (value) => ({ [name]: value })),
    ),
    ...[element, items?.[0]].flatMap((one) => inside(one, '[]', (value) => [value])),
    ...inside(valueType, '{}', (value) => ({ a: value })),
    ...[innerType, from, out, left, ...(options ?? [])].flatMap((one) => inside(one, '', same)),
  ];
}

/** Maximum length of a body. */
const SIZE = 250_000;
const filled = (part: string): string => part.repeat(Math.floor(SIZE / part.length));
const map = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`key_${at}`, 1]));
const HOSTILE = [
  ...['a', '1', ' ', 'a@', '0.', '-', '<a ', '\u0301'].flatMap((part) => [`${filled(part)}!`, `a${filled(part)}a`]),
  Array(SIZE / 2).fill(0),
  Array.from({ length: SIZE / 4 }, () => ({})),
  Array.from({ length: SIZE / 4 }, () => []),
  map,
];

/** Returns the processor time of a check, in milliseconds. */
function workOf(schema: Schema, body: unknown): number {
  const before = process.cpuUsage();
  try {
    parse(schema, body);
  } catch {
    // Only the time matters, not the reason.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * Time limit, about 50 times the time of any check. A quadratic check of such a body takes minutes. The compiler and the
 * collector run during some checks, thus only a body that exceeds the limit each time counts.
 */
const WORK_MS = 500;
const ATTEMPTS = 4;
const isSlow = (schema: Schema, body: unknown): boolean =>
  Array.from({ length: ATTEMPTS }).every(() => workOf(schema, body) > WORK_MS);

describe.each(declaredServices)('$name', (service) => {
  test('checks each body quickly, for any content of its fields', () => {
    const found = [...operationsOf(service)].flatMap(([id, { body }]) => {
      const places = new Map(body ? placesOf(body) : []);
      return [...places].flatMap(([path, bodyWith]) =>
        HOSTILE.filter((value) => isSlow(body!, bodyWith(value))).map(
          (value) => `${id} ${path}: ${JSON.stringify(value).slice(0, 12)}`,
        ),
      );
    });
    expect(found).toEqual([]);
  });
});
