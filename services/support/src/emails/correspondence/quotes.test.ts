import { describe, expect, test } from '@jest/globals';
import { bodyOf } from './body.ts';
import { separateQuotes } from './quotes.ts';

const QUOTED_MESSAGE = [
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
    const text = `Hello,\n\n${QUOTED_MESSAGE}\n\nYes, both.\n\n> Regards`;
    expect(separateQuotes(text)).toEqual({ own: text.replace('\n\n> Regards', ''), quoted: '> Regards' });
  });
});

describe('quoted text', () => {
  test.each([
    ['directly below the words', `Works now.\n${QUOTED_MESSAGE}`],
    ['after the words', `Works now.\n\n${QUOTED_MESSAGE}`],
    ['before the words', `${QUOTED_MESSAGE}\n\nWorks now.`],
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
    ['both above quotations', `Works now.\n\n-- \nAda\n\n${QUOTED_MESSAGE}`],
  ])('includes %s', (_, text) => {
    expect(separateQuotes(text)).toMatchObject({ own: 'Works now.', quoted: expect.any(String) });
  });
});

/** Introductions of Gmail, Thunderbird and iPhones, with and without an address. */
const INTRODUCTIONS = [
  ['English', 'On Mon, Mar 2, 2026 at 9:00 AM Suite <help@suite.test> wrote:'],
  ['English', 'On 02/03/2026 09:00, Suite wrote:'],
  ['German', 'Am Mo., 2. März 2026 um 09:00 Uhr schrieb Suite <help@suite.test>:'],
  ['German', 'Am 02.03.2026 um 09:00 schrieb Suite:'],
  ['French', 'Le lun. 2 mars 2026 à 09:00, Suite <help@suite.test> a écrit :'],
  ['French', 'Le 02/03/2026 à 09:00, Suite a écrit :'],
  ['Spanish', 'El lun, 2 mar 2026 a las 9:00, Suite (<help@suite.test>) escribió:'],
  ['Spanish', 'El 2/3/26 a las 9:00, Suite escribió:'],
  ['Italian', 'Il giorno lun 2 mar 2026 alle ore 09:00 Suite <help@suite.test> ha scritto:'],
  ['Italian', 'Il 02/03/2026 09:00, Suite ha scritto:'],
  ['Portuguese', 'Em seg., 2 de mar. de 2026 às 09:00, Suite <help@suite.test> escreveu:'],
  ['Portuguese', 'Em 02/03/2026 09:00, Suite escreveu:'],
  ['Dutch', 'Op ma 2 mrt 2026 om 09:00 schreef Suite <help@suite.test>:'],
  ['Dutch', 'Op 02-03-2026 om 09:00 schreef Suite:'],
  ['Danish', 'Den man. 2. mar. 2026 kl. 09.00 skrev Suite <help@suite.test>:'],
  ['Swedish', 'Den 2026-03-02 kl. 09:00, skrev Suite:'],
  ['Norwegian', 'man. 2. mar. 2026 kl. 09:00 skrev Suite <help@suite.test>:'],
  ['Finnish', 'ma 2. maalisk. 2026 klo 9.00 Suite (help@suite.test) kirjoitti:'],
  ['Polish', 'Dnia 2 mar 2026 o godz. 09:00 Suite napisał:'],
  ['Polish', 'W dniu 02.03.2026 o 09:00, Suite pisze:'],
  ['Polish', 'pon., 2 mar 2026 o 09:00 Suite <help@suite.test> napisał(a):'],
  ['Czech', 'Dne 02. 03. 26 v 9:00 Suite napsal(a):'],
  ['Romanian', 'În lun., 2 mar. 2026 la 09:00, Suite <help@suite.test> a scris:'],
  ['Turkish', 'Suite <help@suite.test>, 2 Mar 2026 Pzt, 09:00 tarihinde şunu yazdı:'],
  ['Hungarian', 'Suite <help@suite.test> ezt írta (időpont: 2026. márc. 2., H, 9:00):'],
  ['Russian', 'пн, 2 мар. 2026 г. в 09:00, Suite <help@suite.test>:'],
  ['Greek', 'Στις Δευ 2 Μαρ 2026 στις 9:00 π.μ., ο χρήστης Suite <help@suite.test> έγραψε:'],
  ['Japanese', '2026年3月2日(月) 9:00 Suite <help@suite.test>:'],
  ['Chinese', 'Suite <help@suite.test> 于2026年3月2日周一 09:00写道：'],
  ['Korean', '2026년 3월 2일 (월) 오전 9:00, Suite <help@suite.test>님이 작성:'],
];

describe('an introduction', () => {
  test.each(INTRODUCTIONS)('is collapsed with its quotation in %s: %s', (_, introduction) => {
    for (const quotation of ['> old', 'old']) {
      const quoted = `${introduction}\n\n${quotation}`;
      expect(separateQuotes(`Works now.\n\n${quoted}`)).toEqual({ own: 'Works now.', quoted });
      expect(separateQuotes(`Hello,\nThanks a lot.\n${quoted}`)).toEqual({ own: 'Hello,\nThanks a lot.', quoted });
    }
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
    ['a sentence with a date that ends with a colon', 'First\nWe met on 2 March 2026 at 9:00 and agreed:\nSecond'],
    ['a sentence with an address that ends with a colon', 'First\nWrite to us (help@suite.test) about:\nSecond'],
    ['a field like From', 'From: Berlin\nWe drive on Monday.\nSecond'],
    ['two dashes, where much follows', `First\n--\n${'Line\n'.repeat(20)}Second`],
    ['an equals sign', 'a\n====\nSecond'],
  ])('is not collapsed after %s', (_, text) => {
    expect(separateQuotes(text)).toEqual({ own: text, quoted: null });
  });
  test('is not collapsed if it consists of quotations only', () => {
    expect(separateQuotes(QUOTED_MESSAGE)).toEqual({ own: QUOTED_MESSAGE, quoted: null });
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
