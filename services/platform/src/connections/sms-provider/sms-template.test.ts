import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isSuccess, readResponse, readPath, readStatus } from './provider-response.rules.ts';
import { assertTemplate, fillTemplate, type TemplateValues } from './sms-template.rules.ts';

const fill = (template: string, text: string, type = 'application/json') =>
  fillTemplate(template, { to: '+491701234567', text, sender: 'Acme', id: '1', report_url: 'https://x.test' }, type);
const refusal = (template: string, type = 'application/json') => {
  try {
    assertTemplate(template, type);
    return undefined;
  } catch (error) {
    return (error as { errors: object }).errors;
  }
};

describe('a template', () => {
  test('preserves any text in JSON and in a form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(JSON.parse(fill('{"a":"{{to}}","b":["{{ text }}"]}', text))).toEqual({ a: '+491701234567', b: [text] });
        const form = new URLSearchParams(fill('to={{to}}&text={{text}}', text, 'application/x-www-form-urlencoded'));
        expect([form.get('to'), form.get('text')]).toEqual(['+491701234567', text]);
      }),
    );
  });

  test('escapes XML characters, and removes characters that XML cannot represent', () => {
    expect(fill('<t>{{text}}</t>', `a<b & "c" 'd'\u0001`, 'application/xml')).toBe(
      '<t>a&lt;b &amp; &quot;c&quot; &apos;d&apos;</t>',
    );
  });

  test('does not fill in placeholders inside a value', () => {
    expect(fill('{{text}} {{to}}', '{{sender}}', 'text/plain')).toBe('{{sender}} +491701234567');
  });

  test('accepts known placeholders only, and requires number and text', () => {
    expect(refusal('{"to":"{{to}}","text":"{{text}}"}')).toBeUndefined();
    expect(refusal('{"to":"{{to}}","text":"{{message}}"}')).toMatchObject({
      body_template: [expect.stringContaining('"message"')],
    });
    expect(refusal('{"to":"{{to}}"}')).toEqual({ body_template: ['Use the placeholder {{text}} in the template.'] });
  });

  test('is valid JSON when filled in', () => {
    expect(refusal('{"to":{{to}},"text":"{{text}}"}')).toMatchObject({ body_template: [expect.any(String)] });
    expect(refusal('to={{to}}&text={{text}}', 'application/x-www-form-urlencoded')).toBeUndefined();
    expect(refusal('{{to}}{{text}}', 'multipart/form-data')).toMatchObject({ headers: [expect.any(String)] });
  });

  test('changes only in its placeholders', () => {
    const values = fc.record({
      to: fc.string(),
      text: fc.string(),
      sender: fc.string(),
      id: fc.string(),
      report_url: fc.string(),
    });
    const template = '{"to":"{{to}}","text":"{{text}}","from":"{{sender}}","id":"{{id}}","to_report":"{{report_url}}"}';
    fc.assert(
      fc.property(values, ({ to, text, sender, id, report_url }: TemplateValues) => {
        const filled = fillTemplate(template, { to, text, sender, id, report_url }, 'application/json');
        expect(JSON.parse(filled)).toEqual({ to, text, from: sender, id, to_report: report_url });
      }),
    );
  });
});

describe('a response of a provider', () => {
  const paths = { id_path: 'messages.0.id', success_path: 'messages.0.status=0' };
  const answer = (status: number, json: unknown) => readResponse(paths, { status, text: JSON.stringify(json) });

  test('provides the message ID, if the settings define its path', () => {
    expect(answer(200, { messages: [{ id: 17, status: '0' }] })).toEqual({ provider_id: '17' });
    expect(readResponse({ id_path: null, success_path: null }, { status: 202, text: 'queued' })).toEqual({
      provider_id: null,
    });
  });

  test('is a rejection if it does not confirm the message', () => {
    expect(answer(200, { messages: [{ id: 17, status: '4' }] })).toMatchObject({ failure: { code: 'not_accepted' } });
    expect(readResponse(paths, { status: 200, text: '<html>' })).toMatchObject({ failure: { code: 'not_accepted' } });
  });

  test.each([
    [401, 'credentials_refused', false],
    [302, 'provider_refused', false],
    [422, 'provider_refused', false],
    [429, 'provider_busy', true],
    [503, 'provider_busy', true],
  ])('is mapped from status %i to %s', (status, code, isTemporary) => {
    expect(answer(status, {})).toMatchObject({ failure: { code, status }, isTemporary });
  });

  test('is read by its own fields only', () => {
    expect(readPath({ a: [{ b: 1 }] }, 'a.0.b')).toBe(1);
    expect(['a.toString', '__proto__', 'a.length.x', 'b'].map((path) => readPath({ a: 'x' }, path))).toEqual(
      Array(4).fill(undefined),
    );
    expect(isSuccess({ ok: 'false' }, 'ok')).toBe(false);
    expect(isSuccess({ ok: true }, 'ok')).toBe(true);
  });

  test('maps many status words', () => {
    expect(['DELIVRD', 'delivered', 'UNDELIV', 'rejected', 'buffered'].map(readStatus)).toEqual([
      'deliver',
      'deliver',
      'fail',
      'fail',
      undefined,
    ]);
  });
});
