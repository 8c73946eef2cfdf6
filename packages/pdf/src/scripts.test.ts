import { afterAll, describe, expect, test } from '@jest/globals';
import { fontNamesOf, pagesOf, structureOf, wordsOf } from '@suite/testing';
import { engine, samplePdf } from '../test/sample-pdf.ts';
import { openTestPrinter } from '../test/printing.ts';

const { print, first, close } = openTestPrinter();
afterAll(close);

const named = (name: string, locale = 'en-GB') =>
  samplePdf({ from: { locale }, lines: [{ ...engine, product_name: name, description: null }], to: { name } });
const fontsOf = async (pdf: Uint8Array) => (await fontNamesOf(pdf)).map((name) => name.replace(/-.*/, ''));

describe('East Asian text', () => {
  test.each([
    ['Japanese', '業務用エンジン（四気筒）', 'NotoSansJP'],
    ['Korean', '사기통 엔진', 'NotoSansKR'],
    ['simplified Chinese', '四缸发动机说明', 'NotoSansHans'],
  ])('(%s) is printed with its own characters', async (_, name, font) => {
    const pdf = await print(named(name));
    expect((await pagesOf(pdf)).join('\n')).toContain(name);
    expect(await fontsOf(pdf)).toContain(font);
  });

  test('follows the country of the sender if the characters are ambiguous', async () => {
    const fonts = async (locale: string) => await fontsOf(await print(named('直骨海角', locale)));
    expect(await fonts('ja-JP')).toContain('NotoSansJP');
    expect(await fonts('zh-TW')).toContain('NotoSansHant');
    expect(await fonts('zh-CN')).toContain('NotoSansHans');
  });
});

describe('right-to-left text', () => {
  test('begins on the right, with numbers from left to right', async () => {
    const words = await wordsOf(await print(samplePdf({ to: { name: 'רוח צפונית 4711' } })));
    const at = (text: string) => words.find((word) => word.text.includes(text))!.left;
    expect(at('רוח')).toBeGreaterThan(at('צפונית'));
    expect(at('צפונית')).toBeGreaterThan(words.find(({ text }) => text === '4711')!.left);
  });

  test('joins Arabic characters', async () => {
    const widthOf = async (name: string) => {
      const words = await wordsOf(await print(samplePdf({ to: { name } })));
      const arabic = words.filter(({ text }) => /\p{Script=Arabic}/u.test(text));
      return arabic.reduce((sum, { width }) => sum + width, 0);
    };
    // Separated characters take their isolated form.
    expect(await widthOf('ببببب')).toBeLessThan((await widthOf('ب\u200cب\u200cب\u200cب\u200cب')) * 0.8);
  });

  test('does not change the direction of the text around it', async () => {
    const taxes = [{ name: 'ضريبة', rate: '15', kind: 'percent', inclusive: false } as const];
    const sums = { ...samplePdf().sums!, added: [{ ...taxes[0]!, base: '153.97', amount: '30.79' }] };
    const text = await first(samplePdf({ lines: [{ ...engine, taxes }], sums }));
    for (const said of ['153.97', '30.79', '184.76 EUR']) expect(text).toContain(said);
  });
});

describe('a PDF for screen readers', () => {
  test('has a language, a title, headings, and a table with a head', async () => {
    const { language, title, is_tagged, roles } = await structureOf(await print(samplePdf()));
    expect({ language, title, is_tagged }).toEqual({
      language: 'en',
      title: 'Invoice INV-2026-00001',
      is_tagged: true,
    });
    for (const role of ['Document', 'H1', 'H2', 'Table', 'THead', 'TBody', 'TR', 'TH', 'TD'])
      expect(roles).toContain(role);
  });

  test('describes its image', async () => {
    const logo = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQImWPgLmqFIwZkDgBlGggRnwepGAAAAABJRU5ErkJggg==',
      'base64',
    );
    const pdf = await print(samplePdf({ from: { logo: new Uint8Array(logo) } }));
    expect((await structureOf(pdf)).roles).toContain('Figure');
  });
});
