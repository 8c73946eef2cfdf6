/** Invalid input, generated from the schema of an operation with one fault at a time. */
import fc from 'fast-check';
import { type ApiOperation, pathWith, type Schema } from '../suite/api-document.ts';
import { draftBody, pathIds, type RecordIds } from '../suite/draft.ts';
import { type Case, forms, messages, nastyText, type StrangeRequest, UNKNOWN_ID } from './strange-text.ts';

/** The value of required parameters. All of them are days. */
const DAY = '2026-03-02';
const DEEP = `${'['.repeat(2_000)}${']'.repeat(2_000)}`;

const OTHER_KINDS: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  -(2 ** 31) - 1,
  [],
  {},
  [[]],
  [null],
  { contains: '' },
  { not: null },
  { id: UNKNOWN_ID },
];

const anything = fc.oneof(nastyText, fc.constantFrom(...OTHER_KINDS), fc.jsonValue({ maxDepth: 2 }));

/** Returns values at and just beyond the limits of a schema. */
function edgesOf({ maxLength, minLength, minimum, maximum, enum: words, anyOf, format }: Schema): unknown[] {
  return [
    ...(maxLength ? ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1), '\u{1F600}'.repeat(maxLength)] : []),
    ...(minLength ? ['x'.repeat(minLength - 1), ' '.repeat(minLength)] : []),
    ...(minimum === undefined ? [] : [minimum, minimum - 1]),
    ...(maximum === undefined ? [] : [maximum, maximum + 1]),
    ...(words ? [...words, `${String(words[0])} `] : []),
    ...(format === 'date-time'
      ? ['2026-03-29T02:30:00+14:00', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z']
      : []),
    ...(format === 'date' ? ['2024-02-29', '2023-02-29', '0001-01-01', '9999-12-31'] : []),
    ...(anyOf ?? []).flatMap(edgesOf),
  ];
}

const strangeFor = (schema: Schema) => {
  const edges = edgesOf(schema);
  return edges.length > 0 ? fc.oneof(anything, fc.constantFrom(...edges)) : anything;
};

function bodies(schema: Schema, sound: Record<string, unknown>, path: string): fc.Arbitrary<Case>[] {
  const fields = Object.keys(schema.properties ?? {});
  const whole = (about: string, body: unknown): Case => ({ about, path, body: JSON.stringify(body) });
  const wrongField = fc
    .constantFrom(...fields, 'nonsense', '__proto__', 'workspace_id', 'id')
    .chain((field) =>
      strangeFor(schema.properties?.[field] ?? {}).map((value) =>
        whole(`the field ${field}`, Object.fromEntries([...Object.entries(sound), [field, value]])),
      ),
    );
  const withoutField = fc
    .constantFrom('', ...fields)
    .map((left_out) =>
      whole(`no field ${left_out}`, Object.fromEntries(Object.entries(sound).filter(([name]) => name !== left_out))),
    );
  const notAnObject = anything.map((value) => whole('a value that is not an object', value));
  const noJson = fc
    .constantFrom('{', '{"a":}', '', '\ufeff{}', DEEP, '{"a":1,"a":2}', 'a=1&b=2', '{"name":"\\ud800"}')
    .map((body) => ({ about: 'a body that is not JSON', path, body }));
  const mistaken = fc
    .constantFrom(
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      'nonsense',
    )
    .map((content_type) => ({ ...whole('another content type', sound), content_type }));
  return [wrongField, wrongField, wrongField, withoutField, notAnObject, noJson, mistaken];
}

function queries({ query }: ApiOperation, path: string, body: string | undefined): fc.Arbitrary<Case>[] {
  const names = query.map(({ name }) => name);
  const suffixes = ['', '', '[in]', '[gte]', '[like]', '[null]', '[nonsense]', '[]', '[a][b]'];
  const text = anything.map((value) => (typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value)));
  const one = fc
    .constantFrom(...names, 'nonsense', '__proto__')
    .chain((name) =>
      fc
        .tuple(fc.constantFrom(...suffixes), text)
        .map(([suffix, value]) => [`${name}${suffix}`, value.slice(0, 1_000)] as [string, string]),
    );
  const asked = fc.array(one, { minLength: 1, maxLength: 3 }).map((pairs) => ({
    about: `the parameters ${pairs.map(([name]) => name).join(', ')}`,
    path: `${path}?${new URLSearchParams(pairs)}`,
    body,
  }));
  const raw = fc
    .constantFrom(
      '?=',
      '?&&&',
      '?page=%',
      '?page=%ff',
      '?page[]=1',
      `?fields=${'a,'.repeat(900)}`,
      '?sort=id,id,id',
      '?cursor=eyJ9',
    )
    .map((text) => ({ about: 'a strange query', path: `${path}${text}`, body }));
  return [asked, raw];
}

function paths(operation: ApiOperation, own: Record<string, string>, body: string | undefined): fc.Arbitrary<Case>[] {
  const values = fc.oneof(
    nastyText.map((value) => value.toWellFormed().slice(0, 1_000)),
    fc.constantFrom(UNKNOWN_ID),
  );
  return operation.path_variables.map((variable) =>
    values.map((value) => ({
      about: `${variable} in the path`,
      path: pathWith(operation.path, { ...own, [variable]: value || '-' }),
      body,
    })),
  );
}

/** Placeholder for a number that differs in every request, so that names do not collide. */
const SERIAL = 'serial0';

/** Returns `times` strange requests to an operation, the same for every run with a seed. */
export function strangeRequests(
  operation: ApiOperation,
  {
    stock,
    seed,
    times,
    fit,
  }: { stock: RecordIds; seed: number; times: number /** Fields with consistent values. */; fit: string[] },
): StrangeRequest[] {
  const { method, path, body: schema = {}, example, upload, message } = operation;
  const own = pathIds(operation, stock) ?? {};
  const address = pathWith(path, own);
  const required = operation.query.filter((one) => one.required).map(({ name }): [string, string] => [name, DAY]);
  const usual = required.length > 0 ? `${address}?${new URLSearchParams(required)}` : address;
  const takesBody = method !== 'GET';
  const whole = draftBody(schema, { path, stock, word: 'fuzz', serial: SERIAL }, example);
  const sound = Object.fromEntries(Object.entries(whole).filter(([name]) => fit.includes(name)));
  const soundBody = takesBody ? JSON.stringify(sound) : undefined;
  const cases = fc.oneof(
    fc.constant({ about: 'nothing', path: usual, body: soundBody }),
    ...(takesBody ? bodies(schema, sound, address) : []),
    ...(message ? messages(message, address) : []),
    ...(upload ? [forms(upload, address), forms(upload, address)] : []),
    ...queries(operation, address, soundBody),
    ...paths(operation, own, soundBody),
  );
  return fc.sample(cases, { numRuns: times, seed }).map((one, at) => ({
    content_type: 'application/json',
    ...one,
    body: one.body?.replaceAll(SERIAL, `serial${at + 1}`),
  }));
}
