import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Member, start } from '@suite/testing';
import { notebook } from '../src/notebook.ts';

const serving = await start(notebook);
let kim: Member;
beforeAll(async () => {
  kim = serving.member({ can: ['note.view', 'note.create'] });
  for (const title of ['Milk and bread', 'Crème brûlée', 'ada.lovelace@example.com'])
    await kim.post('/api/note/create', { title });
});

const search = (q: string) => kim.get(`/api/notes?q=${encodeURIComponent(q)}`);
const titlesFor = async (q: string): Promise<string[]> => {
  const { status, body } = await search(q);
  expect({ q: q.slice(0, 20), status }).toEqual({ q: q.slice(0, 20), status: 200 });
  return body.data.map(({ title }: { title: string }) => title);
};

describe('a hostile search', () => {
  test.each([
    ['of thousands of words', 'a '.repeat(2_000)],
    ['of twenty-one words', 'milk '.repeat(21)],
    ['of one endless word', 'a'.repeat(5_000)],
    ['of endless combining characters', `a${'\u0301'.repeat(1_000)}`],
    ['with the character U+0000', 'milk\0bread'],
  ])('rejects %s by name', async (_, q) => {
    const { status, body } = await search(q);
    expect({ status, code: body.code, fields: Object.keys(body.errors) }).toEqual({
      status: 422,
      code: 'validation_failed',
      fields: ['q'],
    });
  });

  test.each([
    ['the operators of a search', 'milk & | ! <-> ( bread :* )'],
    ['quotes', `'milk' "bread" ''`],
    ['wildcards', '%milk_ *bread? %'],
    ['backslashes and semicolons', String.raw`milk\\ '; bread; --`],
    ['white space of all kinds', '\t milk \u00a0\u2003\n bread \u3000'],
  ])('with %s still finds its words', async (_, q) => {
    expect(await titlesFor(q)).toEqual(['Milk and bread']);
  });

  test.each([
    ['accents and without', ['crème', 'creme', 'cre\u0300me', 'CRÈME BRÛ']],
    ['the beginnings of words', ['c b', 'cr br', 'brulee']],
  ])('with %s returns the same results', async (_, searches) => {
    for (const q of searches) expect(await titlesFor(q)).toEqual(['Crème brûlée']);
  });

  test.each([
    ['only marks', '& | ! ( ) <-> :* \' " \\ % _ ? . , ;'],
    ['only combining characters', '\u0301\u0302\u0303'.repeat(60)],
    ['characters that expand to many', '\uFDFA'.repeat(200)],
    ['a character whose lower case is longer', 'İ'.repeat(200)],
    ['characters without a meaning', '👩‍👩‍👧‍👦'.repeat(18)],
    ['characters of addresses', '@.+-_'.repeat(40)],
    ['a row of beginnings', 'a b c d e f g h i j k l m n o p q r s t'],
    ['directions of writing', '\u202e\u2066milk\u2069'],
  ])('of %s gets a response', async (_, q) => {
    expect(Array.isArray(await titlesFor(q))).toBe(true);
  });
});
