type Json = Record<string, unknown>;

/**
 * Returns a plausible value for a schema, so that every operation is documented with an example.
 * @param resolve returns the schema of a `$ref`
 * @param within the named schemas that contain this value: a recursive schema ends at its second level
 */
export function example(
  schema: Json,
  name: string,
  resolve: (reference: string) => Json,
  within: readonly string[] = [],
): unknown {
  const part = (of: Json, called: string) => example(of, called, resolve, within);
  const reference = schema['$ref'];
  if (typeof reference === 'string') return example(resolve(reference), name, resolve, [...within, reference]);
  if (schema['example'] !== undefined) return schema['example'];
  if (schema['default'] !== undefined) return schema['default'];
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const either = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined;
  if (either) return part(either[0]!, name);
  switch ([schema['type']].flat()[0]) {
    case 'object': {
      const entries = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
      return Object.fromEntries(entries.map(([key, value]) => [key, part(value, key)]));
    }
    case 'array': {
      const items = schema['items'] as Json;
      return within.includes(String(items['$ref'])) ? [] : [part(items, name.replace(/s$/, ''))];
    }
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1;
    case 'boolean':
      return true;
    default:
      return exampleOf(schema['format'] as string, name) ?? PATTERNS[schema['pattern'] as string] ?? exampleText(name);
  }
}

/** Returns a plausible value for a schema without references. */
export const sample = (schema: object): unknown => example(schema as Json, '', () => ({}));

const EXAMPLES: Record<string, string> = {
  'iso-4217': 'EUR',
  uuid: '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10',
  email: 'ada@example.com',
  date: '2026-11-21',
  'date-time': '2026-11-21T09:30:00.000Z',
  time: '09:30',
  uri: 'https://example.com/',
};
/** The end of validity periods in examples. It is far ahead, because readers try the examples later. */
const FAR_AHEAD: Record<string, string> = { date: '2099-12-31', 'date-time': '2099-12-31T09:30:00.000Z' };
const exampleOf = (format: string, name: string): string | undefined =>
  (/until|expir|valid_to/.test(name) ? FAR_AHEAD[format] : undefined) ?? EXAMPLES[format];

const PATTERNS: Record<string, string> = {
  '^\\d{1,15}(\\.\\d{1,4})?$': '1250.00',
  '^#[0-9a-fA-F]{6}$': '#3b82f6',
  '^\\+?[0-9 ().\\-/]{4,30}$': '+44 20 7946 0018',
};
function exampleText(name: string): string {
  if (/price|value|amount|total|sum/.test(name)) return '1250.00';
  if (/name|subject/.test(name)) return 'Ada Lovelace';
  if (/color/.test(name)) return '#3b82f6';
  if (/timezone|zone/.test(name)) return 'Europe/Berlin';
  if (/password/.test(name)) return 'correct horse battery staple';
  return name ? `A ${name.replaceAll('_', ' ')}` : 'text';
}
