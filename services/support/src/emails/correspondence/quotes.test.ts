import { describe, expect, test } from '@jest/globals';
import { bodyOf } from './body.ts';
import { separateQuotes } from './quotes.ts';

const OLD = [
  'On Mon, Mar 2, 2026 at 9:00 AM Suite <help@suite.test> wrote:',
  '> Do you use A?',
  '> Do you use B?',
].join('\n');

describe('replies between quoted lines', () => {
  test('keep their questions and their order', () => {
    const text = '> Do you use A?\nYes\n> Do you use B?\nNo';
    expect(separateQuotes(text)).toEqual({ own: text, quoted: null });
  });
  test('below an introduction keep it, and later quotations are collapsed', () => {
    const text = `Hello,\n\n${OLD}\n\nYes, both.\n\n> Regards`;
    expect(separateQuotes(text)).toEqual({ own: text.replace('\n\n> Regards', ''), quoted: '> Regards' });
  });
});

describe('quoted text', () => {
  test.each([
    ['after the words', `Works now.\n\n${OLD}`],
    ['before the words', `${OLD}\n\nWorks now.`],
    [
      'with a wrapped introduction',
      `Works now.\n\nOn Mon, Mar 2, 2026 at 9:00 AM Suite\n<help@suite.test> wrote:\n> old`,
    ],
    ['in German', 'Works now.\n\nAm 02.03.2026 um 09:00 schrieb Suite <h@suite.test>:\n> alt'],
    ['in a language without a rule', 'Works now.\n\n2026. márc. 2. 9:00, Suite <h@suite.test> írta:\n> régi'],
    [
      'without marks, below a head',
      'Works now.\n\n________________________________\nFrom: Suite\nSent: Monday\nTo: Ada\nSubject: x\n\nold',
    ],
    ['without marks, below a head in German', 'Works now.\n\nVon: Suite\nGesendet: Montag\nAn: Ada\nBetreff: x\n\nalt'],
    ['below the title of an original message', 'Works now.\n\n-----Original Message-----\nold'],
  ])('is collapsed %s', (_, text) => {
    const { own, quoted } = separateQuotes(text);
    expect(own).toBe('Works now.');
    expect(
      text
        .split('\n')
        .filter(Boolean)
        .every((line) => `${own}\n${quoted}`.includes(line)),
    ).toBe(true);
  });
  test.each([
    ['a signature', 'Works now.\n-- \nAda\nACME Ltd'],
    ['a line of a phone', 'Works now.\n\nSent from my iPhone'],
    ['both above quotations', `Works now.\n\n-- \nAda\n\n${OLD}`],
  ])('includes %s', (_, text) => {
    expect(separateQuotes(text)).toMatchObject({ own: 'Works now.', quoted: expect.any(String) });
  });
});

describe('the text of a reply', () => {
  test.each([
    ['a line of underscores', 'First\n________________________________\nSecond'],
    ['a line of dashes', 'First\n-----\nSecond'],
    ['a title between dashes', 'First\n--- Section ---\nSecond'],
    ['a line that begins with Sent from', 'First\nSent from the warehouse: three boxes.\nSecond'],
    ['a line of a phone', 'First\nSent from my iPhone\nSecond'],
    ['regards', 'Best wishes,\nAda\n\nPS: Second'],
    ['a field like From', 'From: Berlin\nWe drive on Monday.\nSecond'],
    ['two dashes, where much follows', `First\n--\n${'Line\n'.repeat(20)}Second`],
    ['an equals sign', 'a\n====\nSecond'],
  ])('is not collapsed after %s', (_, text) => {
    expect(separateQuotes(text)).toEqual({ own: text, quoted: null });
  });
  test('is not collapsed if it consists of quotations only', () => {
    expect(separateQuotes(OLD)).toEqual({ own: OLD, quoted: null });
  });
});

test('the time grows only with the length of the text', () => {
  const hostile = [
    '> a\nOn 1 ',
    '_',
    `On 1 ${' '.repeat(280)}wrote\n`,
    `${'<a@'.repeat(90)}\n`,
    'From: x\n',
    '\n',
    '--\n',
    'Sent from my\n',
  ];
  for (const text of hostile) {
    const whole = text.repeat(Math.ceil(200_000 / text.length));
    const { own, quoted } = separateQuotes(whole);
    expect((own + (quoted ?? '')).length).toBeLessThanOrEqual(whole.length);
  }
});

test('an oversized text is truncated at a whole character and also returned in full', () => {
  const text = `${'a'.repeat(49_999)}😀${'b'.repeat(60_000)}`;
  const { body, is_truncated, full_text } = bodyOf({ text });
  expect([body, is_truncated, full_text]).toEqual(['a'.repeat(49_999), true, text]);
  expect(bodyOf({ text: 'short' })).toMatchObject({ is_truncated: false, full_text: null });
  const quoted = bodyOf({ text: `short\n\n${'> old\n'.repeat(20_000)}` });
  expect(quoted).toMatchObject({ body: 'short', is_truncated: false });
});
