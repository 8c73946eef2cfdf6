/** Input that no database can store: half surrogate pairs, years outside any calendar, and impossible UTC offsets. */
import type { ApiOperation, Schema } from '../suite/api-document.ts';
import type { StrangeRequest } from './strange-text.ts';

const HALF_A_PAIR = '\ud800';
const DAYS = ['0000-01-01', '0000-12-31', '10000-01-01', '-000001-01-01'];
const MOMENTS = [
  '0000-06-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-01:00',
  '9999-12-31T23:59:59.9999Z',
  '2026-11-21T05:11:37+23:00',
  '2026-11-21T05:11:37-15:30',
];

const formatOf = ({ format, anyOf = [] }: Schema): string | undefined => format ?? anyOf.map(formatOf).find(Boolean);

const valuesFor = (schema: Schema): string[] => {
  const format = formatOf(schema);
  return format === 'date' ? DAYS : format === 'date-time' ? [...DAYS, ...MOMENTS] : [];
};

/** Returns two of the values, which vary with the place: there are thousands of filters, with two types. */
const pickSome = (values: string[], place: number): string[] =>
  values.filter((_, at) => [0, 3].some((beside) => (place + beside) % values.length === at));

/**
 * Returns such input for every field and parameter that accepts a date or a time, and one text of each kind. One text
 * per kind is enough, because one function checks the texts of all fields. The places rotate through the values, and
 * each value is used in many places.
 */
export function unstorableRequests(
  { method, query, body: schema = {} }: ApiOperation,
  address: string,
  sound: Record<string, unknown>,
): StrangeRequest[] {
  const fields = Object.entries(schema.properties ?? {});
  const json = (about: string, body: unknown) => ({ about, path: address, body: JSON.stringify(body) });
  const texts = fields
    .slice(-1)
    .flatMap(([name]) => [
      json(`${name} that cannot be stored`, { ...sound, [name]: HALF_A_PAIR }),
      json(`half a surrogate pair within ${name}`, { ...sound, [name]: [{ text: HALF_A_PAIR }] }),
    ]);
  const dates = fields.flatMap(([name, field]) =>
    valuesFor(field).map((value) => json(`${name} that cannot be stored`, { ...sound, [name]: value })),
  );
  const own = method === 'GET' ? undefined : JSON.stringify(sound);
  const filters = query.flatMap(({ name, schema: field }) =>
    [name, `${name}[gte]`].flatMap((parameter) =>
      pickSome(valuesFor(field), address.length + parameter.length).map((value) => ({
        about: `${parameter} that cannot be stored`,
        path: `${address}?${new URLSearchParams([[parameter, value]])}`,
        body: own,
      })),
    ),
  );
  const encoded = [query[0]?.name ?? 'nonsense'].map((name) => ({
    about: `${name} that is not a text`,
    path: `${address}?${name}=%ED%A0%80`,
    body: own,
  }));
  const written = method === 'GET' ? [] : [...texts, ...dates];
  return [...written, ...filters, ...encoded].map((one) => ({ ...one, content_type: 'application/json' }));
}
