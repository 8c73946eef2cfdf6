import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Fault } from '@suite/chassis/faults';
import fc from 'fast-check';
import {
  type SubmissionAttempt,
  CONTENT_CHECKS,
  FORM_CHECKS,
  findRejection,
  SUBMISSIONS_AN_HOUR,
} from './submission.rules.ts';
import { comparablePhone } from './lead-capture.ts';
import { plainText, readValues } from './form-value.rules.ts';

const now = new Date('2031-01-01T12:00:00Z');
const before = (ms: number) => new Date(now.getTime() - ms);
const text = { type: 'text', label: 'Name', required: true } as const;
const form = {
  id: randomUUID(),
  token_id: randomUUID(),
  form_version: 3,
  allowed_origins: ['https://a.example'],
  fields: [{ name: 'name', ...text }],
  consent: { required: true, text: 'Yes', privacy_url: null },
};
const submission_id = randomUUID();

/** Errors of an attempt in the order of checking, each with its error code. */
const MISTAKES: readonly [string, string, (attempt: SubmissionAttempt) => SubmissionAttempt][] = [
  ['the token opens nothing', 'not_found', (attempt) => ({ ...attempt, form: undefined })],
  ['the page is another one', 'origin_not_allowed', (attempt) => ({ ...attempt, origin: 'https://b.example' })],
  [
    'the token was used too often',
    'rate_limited',
    (attempt) => ({ ...attempt, hits: { count: SUBMISSIONS_AN_HOUR + 1, ends: now } }),
  ],
  [
    'a field is wrong',
    'validation_failed',
    (attempt) => ({ ...attempt, body: { ...attempt.body, fields: { name: '' } } }),
  ],
  [
    'consent was not given',
    'consent_required',
    (attempt) => ({ ...attempt, body: { ...attempt.body, consent: { accepted: false, version: 3 } } }),
  ],
  [
    'the form was changed',
    'form_changed',
    (attempt) => ({ ...attempt, opened: { ...attempt.opened!, form_version: 2 } }),
  ],
  [
    'the form is too old',
    'form_expired',
    (attempt) => ({ ...attempt, opened: { ...attempt.opened!, issued_at: before(24 * 3_600_000 + 1) } }),
  ],
];

const validAttempt: SubmissionAttempt = {
  now,
  form,
  body: { form_token: '', submission_id, fields: { name: 'Ada' }, consent: { accepted: true, version: 3 } },
  origin: 'https://a.example',
  own_origin: 'https://suite.example',
  idempotency_key: undefined,
  hits: { count: SUBMISSIONS_AN_HOUR, ends: new Date(now.getTime() + 1) },
  opened: { issued_at: before(2_000), form_version: 3 },
};
const rejectionCode = (attempt: SubmissionAttempt) =>
  (findRejection(FORM_CHECKS, attempt) ?? findRejection(CONTENT_CHECKS, attempt))?.code;

describe('a submitted form', () => {
  test('is accepted if it is valid', () => {
    expect(rejectionCode(validAttempt)).toBeUndefined();
    expect(
      rejectionCode({ ...validAttempt, origin: validAttempt.own_origin, idempotency_key: submission_id }),
    ).toBeUndefined();
  });

  test('is rejected for the first reason of the table, regardless of other errors', () => {
    fc.assert(
      fc.property(fc.subarray([...MISTAKES], { minLength: 1 }), (mistakes) => {
        const attempt = mistakes.reduce((made, [, , make]) => make(made), validAttempt);
        expect(rejectionCode(attempt)).toBe(mistakes[0]![1]);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['no origin', { origin: '' }, 'origin_not_allowed'],
    ['the origin null', { origin: 'null' }, 'origin_not_allowed'],
    ['a token that was never issued', { opened: undefined }, 'form_expired'],
    ['a token of tomorrow', { opened: { issued_at: before(-60_000), form_version: 3 } }, 'form_expired'],
    ['a token of just now', { opened: { issued_at: before(1_999), form_version: 3 } }, 'too_fast'],
    ['a key of its own', { idempotency_key: 'another' }, 'validation_failed'],
    [
      'consent to another version',
      { body: { ...validAttempt.body, consent: { accepted: true, version: 2 } } },
      'form_changed',
    ],
    ['no word of consent', { body: { ...validAttempt.body, consent: undefined } }, 'consent_required'],
    [
      'a trap of another form',
      { body: { ...validAttempt.body, fax_number: '', middle_name: '', second_email: '' } },
      'validation_failed',
    ],
  ])('is rejected with %s', (_, more, code) => {
    expect(rejectionCode({ ...validAttempt, ...more })).toBe(code);
  });

  test('needs no consent if the form requires none', () => {
    const free = { ...form, consent: { ...form.consent, required: false } };
    expect(
      rejectionCode({ ...validAttempt, form: free, body: { ...validAttempt.body, consent: undefined } }),
    ).toBeUndefined();
  });

  test('returns how long to wait', () => {
    const early = findRejection(CONTENT_CHECKS, { ...validAttempt, opened: { issued_at: now, form_version: 3 } });
    expect(early?.details).toEqual({ retry_after_s: 2 });
    const often = findRejection(CONTENT_CHECKS, {
      ...validAttempt,
      hits: { count: 201, ends: new Date(now.getTime() + 90_500) },
    });
    expect(often?.details).toEqual({ retry_after_s: 91 });
  });
});

describe('a value', () => {
  const fields = [
    { name: 'name', ...text },
    { name: 'email', type: 'email', label: 'E', required: false },
    { name: 'phone', type: 'tel', label: 'P', required: false },
    { name: 'site', type: 'url', label: 'U', required: false },
    { name: 'size', type: 'select', label: 'S', required: false, options: ['small'] },
    { name: 'terms', type: 'checkbox', label: 'T', required: true },
    { name: 'words', type: 'textarea', label: 'W', required: false, max_length: 20 },
  ] as const;
  const good = { name: 'Ada', terms: true };
  const read = (given: object) => readValues(fields as never, { ...good, ...given });

  test.each([
    [{ email: ' Ada@Example.COM ' }, 'email', 'ada@example.com'],
    [{ email: '' }, 'email', undefined],
    [{ phone: '+49 40 1234567' }, 'phone', '+49 40 1234567'],
    [{ site: 'https://a.example/x' }, 'site', 'https://a.example/x'],
    [{ words: 'one\ntwo\t3' }, 'words', 'one\ntwo\t3'],
    [{ name: ' <b>Ada</b> ' }, 'name', 'Ada'],
    [{ name: '1 < 2 & 3 > 2' }, 'name', '1 < 2 & 3 > 2'],
  ])('is stored: %j becomes %s = %j', (given, name, value) => {
    const values = read(given);
    expect(values).not.toBeInstanceOf(Fault);
    expect((values as ReadonlyMap<string, unknown>).get(name)).toBe(value);
  });

  test.each([
    [{ name: '  ' }, 'name'],
    [{ name: '<i></i>' }, 'name'],
    [{ name: true }, 'name'],
    [{ name: 'x'.repeat(501) }, 'name'],
    [{ name: 'Ada\nBcc: x' }, 'name'],
    [{ name: 'Ada\u0007' }, 'name'],
    [{ email: 'ada' }, 'email'],
    [{ email: 'ada@example.com\r\nBcc: x@example.com' }, 'email'],
    [{ phone: 'call me' }, 'phone'],
    [{ site: 'javascript:alert(1)' }, 'site'],
    [{ site: 'data:text/html,x' }, 'site'],
    [{ size: 'huge' }, 'size'],
    [{ terms: false }, 'terms'],
    [{ terms: 'true' }, 'terms'],
    [{ words: 'x'.repeat(21) }, 'words'],
    [{ words: 'bell\u0007' }, 'words'],
    [{ owner_id: 'me' }, 'owner_id'],
    [{ constructor: 'x' }, 'constructor'],
  ])('is rejected with its field name: %j', (given, name) => {
    const fault = read(given) as Fault;
    expect(fault).toBeInstanceOf(Fault);
    expect([fault.status, Object.keys(fault.errors ?? {})]).toEqual([422, [`fields.${name}`]]);
  });

  test('is reported together with all other invalid values', () => {
    const fault = read({ name: '', email: 'x', size: 'y' }) as Fault;
    expect(Object.keys(fault.errors ?? {})).toEqual(['fields.name', 'fields.email', 'fields.size']);
  });

  test.each([
    ['<scr<script>ipt>alert(1)</scr</script>ipt>', /<\s*script/i],
    ['&lt;b&gt;bold&lt;/b&gt;', /<b>/],
    ['&amp;lt;b&amp;gt;', /<b>/],
    ['<img src=x onerror=alert(1)>hello', /<img/],
  ])('contains no HTML: %s', (given, html) => {
    expect(plainText(given)).not.toMatch(html);
  });

  test('stays the same when it is converted to plain text again', () => {
    const piece = fc.constantFrom('<b>', '</b>', '<', '>', '&lt;', '&amp;', 'script', 'lt;', ' ', 'x', '"');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = plainText(pieces.join(''));
        expect(plainText(once)).toBe(once);
      }),
    );
  });
});

test.each([
  ['040 1234567', 'DE', '+49401234567'],
  ['+49 (40) 123-4567', 'FR', '+49401234567'],
  ['0049 40 1234567', 'DE', '+49401234567'],
  ['040 1234567', '', '0401234567'],
])('compares the number %s in %s as %s', (phone, country, compared) => {
  expect(comparablePhone(phone, country)).toBe(compared);
});
