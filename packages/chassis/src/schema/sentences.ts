/** Messages about wrong values: one sentence for every kind of mistake that a schema can find. */
import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;
type Of<Code extends Issue['code']> = Extract<Issue, { code: Code }>;

const NOT_VALID = 'This value is not valid.';
const REQUIRED = 'This field is required.';

const TYPES: Record<string, string> = {
  string: 'Write text here.',
  number: 'Write a number here, without quotation marks.',
  int: 'Write a whole number here.',
  bigint: 'Write a whole number here.',
  boolean: 'Use true or false.',
  array: 'Send a list here.',
  tuple: 'Send a list here.',
  set: 'Send a list here.',
  object: 'Send an object here.',
  record: 'Send an object here.',
  map: 'Send an object here.',
  date: 'Write a date here.',
  file: 'Send a file here.',
  null: 'Leave this empty.',
  undefined: 'Leave this out.',
  never: 'Leave this out.',
};
const FORMATS: Record<string, string> = {
  email: 'Write an e-mail address such as ada@example.com.',
  url: 'This is not a web address.',
  uuid: 'This is not an id.',
  guid: 'This is not an id.',
  date: 'Write a day as YYYY-MM-DD.',
  datetime: 'Write a moment such as 2026-11-21T05:11:37Z.',
  time: 'Write a time of day as HH:MM.',
  duration: 'Write a duration such as PT1H30M.',
  lowercase: 'Write this in small letters.',
  uppercase: 'Write this in capital letters.',
};

/** `tax_ids` → `tax`, `categories` → `category`: what one of the things in a list is called. */
function oneOf(path: readonly PropertyKey[] | undefined): string {
  const name = path?.findLast((step) => typeof step === 'string') ?? '';
  const single = name
    .replace(/_ids$/, '')
    .replace(/ies$/, 'y')
    .replace(/(x|s|sh|ch)es$/, '$1')
    .replace(/([^s])s$/, '$1');
  return single.replaceAll('_', ' ') || 'entry';
}

/** `1 line`, `3 lines` */
const counted = (count: unknown, path: readonly PropertyKey[] | undefined): string => {
  const one = oneOf(path);
  if (Number(count) === 1) return `one ${one}`;
  return `${count} ${/(x|s|sh|ch)$/.test(one) ? `${one}es` : /[^aeiou]y$/.test(one) ? `${one.slice(0, -1)}ies` : `${one}s`}`;
};

function size({ origin, path, exact, inclusive }: Of<'too_small' | 'too_big'>, limit: unknown, small: boolean): string {
  const bound = exact ? 'exactly' : small ? 'at least' : 'at most';
  if (origin === 'string') {
    if (small && Number(limit) === 1) return 'Write something here.';
    return `Write ${bound} ${limit} ${Number(limit) === 1 ? 'character' : 'characters'}.`;
  }
  if (origin === 'array' || origin === 'set' || origin === 'map') return `Add ${bound} ${counted(limit, path)}.`;
  if (origin === 'date') return small ? 'Choose a later date.' : 'Choose an earlier date.';
  if (origin === 'file') return small ? 'This file is too small.' : 'This file is too large.';
  if (inclusive || exact) return `Use a number of ${bound} ${limit}.`;
  return `Use a number ${small ? 'greater' : 'less'} than ${limit}.`;
}

const words = (values: readonly unknown[]): string =>
  values.length === 1 ? `Use ${String(values[0])} here.` : `Use one of: ${values.map(String).join(', ')}.`;

function union(issue: Of<'invalid_union'>): string {
  const { options } = issue as { options?: readonly unknown[] };
  if (options?.length) return words(options);
  return issue.inclusive === false ? 'Give only one of the alternatives.' : NOT_VALID;
}

function format({ format: name, ...issue }: Of<'invalid_format'>): string {
  if (name === 'starts_with') return `Begin this with "${String(issue['prefix'])}".`;
  if (name === 'ends_with') return `End this with "${String(issue['suffix'])}".`;
  if (name === 'includes') return `This has to contain "${String(issue['includes'])}".`;
  return FORMATS[name] ?? 'This is not written as it should be.';
}

/** The table: an issue that a schema says nothing of itself becomes a sentence. */
const SENTENCES: { [Code in NonNullable<Issue['code']>]: (issue: Of<Code>) => string } = {
  invalid_type: ({ expected }) => TYPES[expected] ?? NOT_VALID,
  invalid_value: ({ values }) => words(values),
  invalid_format: format,
  too_small: (issue) => size(issue, issue.minimum, true),
  too_big: (issue) => size(issue, issue.maximum, false),
  not_multiple_of: ({ divisor }) => `Use a multiple of ${divisor}.`,
  unrecognized_keys: () => 'There is no such field.',
  invalid_union: union,
  invalid_key: () => 'This name is not allowed here.',
  invalid_element: () => 'One of the values is not valid.',
  custom: () => NOT_VALID,
};

/** The sentence for an issue, in the caller's words and never in the validator's. */
export function sentence(issue: Issue): string {
  const missing = issue.input === undefined && ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue.code);
  return missing ? REQUIRED : SENTENCES[issue.code](issue as never);
}
