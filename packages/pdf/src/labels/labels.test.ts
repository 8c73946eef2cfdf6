import { afterAll, describe, expect, test } from '@jest/globals';
import { structureOf, wordsOf } from '@suite/testing';
import { samplePdf } from '../../test/sample-pdf.ts';
import { openTestPrinter } from '../../test/printing.ts';
import type { PdfLabel } from './en.ts';
import { CATALOGUES } from './labels.ts';

const { en, ...others } = CATALOGUES as Record<string, Readonly<Record<PdfLabel, string>>> & { en: never };
const english = en as Readonly<Record<PdfLabel, string>>;
const languages = Object.keys(others);
const labels = Object.keys(english) as PdfLabel[];

/** Words that are the same in English and the other language. */
const COGNATES: Readonly<Record<string, readonly PdfLabel[]>> = {
  fr: ['date', 'email', 'inclusive', 'total', 'signature'],
  es: ['total', 'subtotal', 'inclusive'],
  de: ['bank'],
  it: ['inclusive', 'email'],
  pt: ['inclusive', 'subtotal', 'total', 'email'],
  nl: ['credit', 'bank', 'email', 'inclusive', 'website'],
  pl: ['bank'],
  ja: [],
  ar: [],
};

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();

describe('the labels of PDFs', () => {
  test('exist in ten languages', () => {
    expect(Object.keys(CATALOGUES).toSorted()).toEqual(['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt']);
  });

  test.each(languages)('have every key and placeholder in %s', (language) => {
    const catalogue = CATALOGUES[language]!;
    expect(Object.keys(catalogue).toSorted()).toEqual(labels.toSorted());
    for (const label of labels) {
      expect(catalogue[label].trim()).not.toBe('');
      expect([label, placeholders(catalogue[label])]).toEqual([label, placeholders(english[label])]);
    }
  });

  test.each(languages)('are not English in %s', (language) => {
    const same = labels.filter((label) => CATALOGUES[language]![label] === english[label]);
    expect(same.filter((label) => !COGNATES[language]!.includes(label))).toEqual([]);
  });
});

describe('a PDF', () => {
  const { print, first, close } = openTestPrinter();
  afterAll(close);

  const full = (language: string, locale = 'de-DE') =>
    samplePdf({
      mark: 'draft',
      from: { locale, email: 'office@northwind.example', phone: '+49 40 1', website: 'northwind.example' },
      to: { ...samplePdf().to, language, country: 'GB' },
      states_tax: true,
      acceptance: true,
      discount: { type: 'percent', value: '10' },
    });
  const without = (text: string) => text.replaceAll(/[\u2066-\u2069\s]/gu, '');

  const SHOWN: readonly PdfLabel[] = [
    ...(['invoice', 'draft', 'invoice_date', 'due_date', 'reference', 'our_tax_number', 'email', 'phone'] as const),
    ...(['website', 'description', 'quantity', 'price', 'discount', 'tax', 'net', 'total', 'paid'] as const),
    ...(['amount_due', 'notes', 'acceptance', 'acceptance_text', 'place_and_date', 'signature'] as const),
  ];

  // Arabic text is extracted in the forms and the order in which it is drawn.
  test.each(languages.filter((language) => language !== 'ar'))(
    'has the labels of its recipient in %s',
    async (language) => {
      const text = without(await first(full(language)));
      for (const label of SHOWN) expect(text).toContain(without(CATALOGUES[language]![label]));
    },
  );

  test.each(languages)('has no English label in %s', async (language) => {
    expect((await structureOf(await print(full(language)))).language).toBe(language);
    const text = await first(full(language));
    const foreign = SHOWN.filter((label) => CATALOGUES[language]![label] !== english[label]);
    for (const label of foreign) expect(text).not.toMatch(new RegExp(`\\b${english[label]}\\b`));
  });

  test('uses the labels of the sender if the recipient has no language', async () => {
    expect(await first(samplePdf({ from: { locale: 'de-AT' } }))).toContain('Rechnungsdatum 10.03.2026');
  });

  test('formats amounts and dates for the locale of the recipient', async () => {
    const text = (await first(full('fr'))).replaceAll(/[\u00a0\u202f]/g, ' ');
    for (const written of ['184,76 EUR', '10 mars 2026', 'Page 1 sur 1', 'Royaume-Uni'])
      expect(text).toContain(written);
  });

  test('has English labels in a language without a catalogue', async () => {
    expect(await first(full('fi'))).toContain('Invoice date');
  });

  test('is laid out from right to left in Arabic', async () => {
    const leftOf = async (language: string, texts: readonly string[]) => {
      const words = await wordsOf(await print(full(language)));
      return texts.map((text) => words.find((word) => word.text.includes(text))!.left);
    };
    const [engine, amount] = await leftOf('en', ['Engine', '53.97']);
    expect(engine).toBeLessThan(amount!);
    const [arabic, figure] = await leftOf('ar', ['Engine', '53.97']);
    expect(arabic).toBeGreaterThan(figure!);
  });

  test('states that no tax is charged', async () => {
    const sums = { ...samplePdf().sums!, added: [], included: [], total: '153.97' };
    const untaxed = samplePdf({ sums, settlement: [], states_tax: true });
    expect(await first(untaxed)).toContain('No tax is charged on this document.');
    expect(await first({ ...untaxed, states_tax: false })).not.toContain('No tax is charged');
    expect(await first(samplePdf({ states_tax: true }))).not.toContain('No tax is charged');
  });
});
