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
    ['thousands of words', 'a '.repeat(2_000)],
    ['twenty-one words', 'milk '.repeat(21)],
    ['one endless word', 'a'.repeat(5_000)],
    ['endless combining characters', `a${'\u0301'.repeat(1_000)}`],
    ['the character U+0000', 'milk\0bread'],
  ])('is rejected with the name of the field: %s', async (_, q) => {
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
  ])('finds its words despite %s', async (_, q) => {
    expect(await titlesFor(q)).toEqual(['Milk and bread']);
  });

  test.each([
    ['words with and without accents', ['crème', 'creme', 'cre\u0300me', 'CRÈME BRÛ']],
    ['the beginnings of words', ['c b', 'cr br', 'brulee']],
  ])('returns the same results for %s', async (_, searches) => {
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
  ])('gets a response for %s', async (_, q) => {
    expect(Array.isArray(await titlesFor(q))).toBe(true);
  });
});
