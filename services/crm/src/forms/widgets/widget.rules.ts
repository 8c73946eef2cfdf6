/** Rules for the settings of a widget, for the pages that can show it, and its lifecycle. */
import { fault, Fault, invalid } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';

const UPDATE = 'widget.update';

export const widgetStates = lifecycle(
  'widget',
  { active: { revoke: 'revoked' }, revoked: {} },
  {
    actions: {
      update: { permission: UPDATE, in: ['active'] },
      rotate: { permission: UPDATE, in: ['active'] },
      revoke: 'widget.delete',
    },
  },
);

export const ContrastTooLow = fault(
  422,
  'contrast_too_low',
  'These colours are hard to read. Choose a contrast of at least 4.5 to 1 between text, accent and background.',
);

/** Minimum contrast of text and background (WCAG 2.2, 1.4.3). */
const CONTRAST_MIN = 4.5;

/** Returns the relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colours, from 1 to 21, in any order. */
export function contrastOf(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/**
 * Checks that the form is readable. Chosen: the button text has the background colour, so that three colours are
 * sufficient.
 * @throws ContrastTooLow
 */
export function assertContrast({
  text,
  accent,
  background,
}: {
  text: string;
  accent: string;
  background: string;
}): void {
  const pale = Object.entries({ text, accent }).filter(([, color]) => contrastOf(color, background) < CONTRAST_MIN);
  if (pale.length === 0) return;
  const details = Object.fromEntries(
    pale.map(([name, color]) => [name, Math.floor(contrastOf(color, background) * 100) / 100]),
  );
  const errors = { colors: [ContrastTooLow.text] };
  throw new Fault(422, ContrastTooLow.code, ContrastTooLow.text, {
    errors,
    details: { contrasts: details, needed: CONTRAST_MIN },
  });
}

/** Form fields that fill columns of the lead, with the required type of each. */
export const LEAD_FIELDS = {
  name: 'text',
  company: 'text',
  job_title: 'text',
  subject: 'text',
  email: 'email',
  phone: 'tel',
  website: 'url',
} as const;

/** Fields that can name a lead. At least one is required. */
const NAMING = ['name', 'company', 'email'];

interface FormField {
  name: string;
  type: string;
  required: boolean;
  options?: readonly string[] | undefined;
}

/** Returns the fault in one field of a form, if any. */
function findFieldFault({ name, type, options }: FormField): string | undefined {
  const needed = (LEAD_FIELDS as Record<string, string>)[name];
  if (needed !== undefined && type !== needed) return `The field ${name} must have the type ${needed}.`;
  if (type === 'select' && !options?.length) return `Enter options for the field ${name}.`;
  if (type !== 'select' && options?.length)
    return `Only select fields can have options. Remove the options of ${name}.`;
  return undefined;
}

/** Checks that a form has the fields that a lead requires. @throws a 422 that names the field */
export function assertFields(fields: readonly FormField[]): void {
  const names = fields.map(({ name }) => name);
  const twice = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (twice !== -1) throw invalid(`fields.${twice}.name`, 'Enter each field only once.');
  for (const [at, field] of fields.entries()) {
    const mistake = findFieldFault(field);
    if (mistake) throw invalid(`fields.${at}`, mistake);
  }
  if (!fields.some(({ name, required }) => required && NAMING.includes(name)))
    throw invalid('fields', 'Require at least a name, a company or an e-mail address.');
}

/** Checks that the form has texts in its default language. @throws a 422 that names the field */
export function assertTexts({ language, texts }: { language: string; texts: Readonly<Record<string, unknown>> }): void {
  if (!(language in texts)) throw invalid('texts', `Enter the texts in the language of the widget, ${language}, too.`);
}

const ANY_HOST = '*.';
const HOST = /^[a-z\d-]+(?:\.[a-z\d-]+)*$/;

/** Checks that an origin is a valid page origin, or a pattern for all hosts of a domain. */
export function isAllowable(origin: string): boolean {
  const exact = origin.replace(`://${ANY_HOST}`, '://');
  if (!URL.canParse(exact)) return false;
  const { protocol, hostname, origin: written } = new URL(exact);
  const isLocal = hostname === 'localhost';
  // In a content security policy, `;` would start a new directive.
  if (written !== exact || !HOST.test(hostname)) return false;
  // `*.com` would allow all sites.
  if (exact !== origin && !/^[^.]+(?:\.[^.]+)+$/.test(hostname)) return false;
  return protocol === 'https:' || (protocol === 'http:' && isLocal && exact === origin);
}

/** Checks that a page of this origin may show and submit the form. */
export const isAllowed = (origin: string, allowed: readonly string[]): boolean =>
  allowed.some((one) => {
    if (!one.includes(`://${ANY_HOST}`)) return one === origin;
    const [protocol = '', host = ''] = one.split(`//${ANY_HOST}`);
    return origin.startsWith(`${protocol}//`) && origin.endsWith(`.${host}`) && isAllowable(origin);
  });
