/** Request bodies for text-message providers. A user writes the template, and each message fills it in. */
import { invalid } from '@suite/chassis/faults';

/** Values that a template can contain. */
export interface TemplateValues {
  to: string;
  text: string;
  sender: string;
  id: string;
  report_url: string;
}

const PLACEHOLDERS = ['to', 'text', 'sender', 'id', 'report_url'] as const;
const REQUIRED_PLACEHOLDERS = ['to', 'text'] as const;
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** Body types with a defined escaping of values. */
type BodyType = 'json' | 'form' | 'xml' | 'text';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** Characters that XML cannot represent. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const ESCAPES: Readonly<Record<BodyType, (value: string) => string>> = {
  json: (value) => JSON.stringify(value).slice(1, -1),
  form: (value) => encodeURIComponent(value),
  xml: (value) => value.replaceAll(NOT_IN_XML, '').replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!),
  text: (value) => value,
};

/** Returns the content type of a media type, or undefined for one without safe escaping. */
export function bodyTypeOf(media_type: string): BodyType | undefined {
  const type = media_type.split(';')[0]!.trim().toLowerCase();
  if (type === 'application/json' || type.endsWith('+json')) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'application/xml' || type === 'text/xml' || type.endsWith('+xml')) return 'xml';
  return type === 'text/plain' ? 'text' : undefined;
}

/** Fills in a template. Escapes each value for the media type. */
export function fillTemplate(template: string, values: TemplateValues, media_type: string): string {
  const escape = ESCAPES[bodyTypeOf(media_type) ?? 'text'];
  return template.replaceAll(PLACEHOLDER, (_whole, name: string) =>
    escape(values[name.trim() as keyof TemplateValues]),
  );
}

/** Values that make a body invalid if they are unescaped or outside quotation marks. */
const DIFFICULT_VALUES: TemplateValues = {
  to: '+491701234567',
  text: 'He said: "5 < 6 & 7\\8"\n{{to}}',
  sender: "O'Neill",
  id: '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10',
  report_url: 'https://suite.example/api/smsgateway/report/x',
};

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Rejects a template with unknown or missing placeholders, or one that is invalid when filled in. */
export function assertTemplate(template: string, media_type: string): void {
  const content = bodyTypeOf(media_type);
  if (!content)
    throw invalid('headers', 'The content type must be JSON, XML, plain text or application/x-www-form-urlencoded.');
  const used = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim());
  const unknown = used.find((name) => !(PLACEHOLDERS as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw invalid(
      'body_template',
      `There is no value "${unknown}". Use ${PLACEHOLDERS.map((name) => `{{${name}}}`).join(', ')}.`,
    );
  const missing = REQUIRED_PLACEHOLDERS.find((name) => !used.includes(name));
  if (missing) throw invalid('body_template', `Use the placeholder {{${missing}}} in the template.`);
  if (content === 'json' && !isJson(fillTemplate(template, DIFFICULT_VALUES, media_type)))
    throw invalid(
      'body_template',
      'With values inserted, the template is not valid JSON. Put placeholders between quotation marks.',
    );
}
