/** Messages about wrong values: one sentence for every kind of issue that a schema can find. */
import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;
type IssueOf<Code extends Issue['code']> = Extract<Issue, { code: Code }>;

const NOT_VALID = 'This value is not valid.';
const REQUIRED = 'This field is required.';

const TYPES: Record<string, string> = {
  string: 'Enter text.',
  number: 'Enter a number without quotation marks.',
  int: 'Enter a whole number.',
  bigint: 'Enter a whole number.',
  boolean: 'Use true or false.',
  array: 'Send a list.',
  tuple: 'Send a list.',
  set: 'Send a list.',
  object: 'Send an object.',
  record: 'Send an object.',
  map: 'Send an object.',
  date: 'Enter a date.',
  file: 'Send a file.',
  null: 'Leave this empty.',
  undefined: 'This field is not allowed here. Remove it.',
  never: 'This field is not allowed here. Remove it.',
};
const FORMATS: Record<string, string> = {
  email: 'Enter an e-mail address such as ada@example.com.',
  url: 'Enter a web address such as https://example.com.',
  uuid: 'Enter a valid ID.',
  guid: 'Enter a valid ID.',
  date: 'Enter a date as YYYY-MM-DD.',
  datetime: 'Enter a time such as 2026-11-21T05:11:37Z.',
  time: 'Enter a time of day as HH:MM.',
  duration: 'Enter a duration such as PT1H30M.',
  lowercase: 'Use lower case only.',
  uppercase: 'Use upper case only.',
};

/** Returns the singular of a plural noun: `lead_stages` → `lead_stage`, `taxes` → `tax`. */
export const singular = (plural: string): string =>
  plural
    .replace(/tuses$/, 'tus')
    .replace(/ies$/, 'y')
    .replace(/(x|ch|sh|ss)es$/, '$1')
    .replace(/([^su])s$/, '$1');

/** Returns the noun for an entry of a list: `tax_ids` → `tax`, `categories` → `category`. */
function elementNoun(path: readonly PropertyKey[] | undefined): string {
  const name = path?.findLast((step) => typeof step === 'string') ?? '';
  return singular(name.replace(/_ids$/, '')).replaceAll('_', ' ') || 'entry';
}

/** Returns a number with its noun: `1 line`, `3 lines`. */
const formatCount = (count: unknown, path: readonly PropertyKey[] | undefined): string => {
  const one = elementNoun(path);
  if (Number(count) === 1) return `one ${one}`;
  return `${count} ${/(x|s|sh|ch)$/.test(one) ? `${one}es` : /[^aeiou]y$/.test(one) ? `${one.slice(0, -1)}ies` : `${one}s`}`;
};

function size(
  { origin, path, exact, inclusive }: IssueOf<'too_small' | 'too_big'>,
  limit: unknown,
  small: boolean,
): string {
  const bound = exact ? 'exactly' : small ? 'at least' : 'at most';
  if (origin === 'string') {
    if (small && Number(limit) === 1) return 'Enter a value.';
    return `Enter ${bound} ${limit} ${Number(limit) === 1 ? 'character' : 'characters'}.`;
  }
  if (origin === 'array' || origin === 'set' || origin === 'map') return `Add ${bound} ${formatCount(limit, path)}.`;
  if (origin === 'date') return small ? 'Choose a later date.' : 'Choose an earlier date.';
  if (origin === 'file') return small ? 'This file is too small.' : 'This file is too large.';
  if (inclusive || exact) return `Use a number of ${bound} ${limit}.`;
  return `Use a number ${small ? 'greater' : 'less'} than ${limit}.`;
}

const optionsSentence = (values: readonly unknown[]): string =>
  values.length === 1 ? `Use ${String(values[0])}.` : `Use one of: ${values.map(String).join(', ')}.`;

function union(issue: IssueOf<'invalid_union'>): string {
  const { options } = issue as { options?: readonly unknown[] };
  if (options?.length) return optionsSentence(options);
  return issue.inclusive === false ? 'Enter only one of the alternatives.' : NOT_VALID;
}

function format({ format: name, ...issue }: IssueOf<'invalid_format'>): string {
  if (name === 'starts_with') return `Begin with "${String(issue['prefix'])}".`;
  if (name === 'ends_with') return `End with "${String(issue['suffix'])}".`;
  if (name === 'includes') return `This must contain "${String(issue['includes'])}".`;
  return FORMATS[name] ?? 'This value does not have the required format.';
}

/** Messages by issue code, for issues without a message in their schema. */
const SENTENCES: { [Code in NonNullable<Issue['code']>]: (issue: IssueOf<Code>) => string } = {
  invalid_type: ({ expected }) => TYPES[expected] ?? NOT_VALID,
  invalid_value: ({ values }) => optionsSentence(values),
  invalid_format: format,
  too_small: (issue) => size(issue, issue.minimum, true),
  too_big: (issue) => size(issue, issue.maximum, false),
  not_multiple_of: ({ divisor }) => `Use a multiple of ${divisor}.`,
  unrecognized_keys: () => 'Unknown field. Remove it.',
  invalid_union: union,
  invalid_key: () => 'This name is not allowed here.',
  invalid_element: () => 'One of the values is not valid.',
  custom: () => NOT_VALID,
};

/** Returns the message for an issue, never the validator's wording. */
export function sentence(issue: Issue): string {
  const missing = issue.input === undefined && ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue.code);
  return missing ? REQUIRED : SENTENCES[issue.code](issue as never);
}
