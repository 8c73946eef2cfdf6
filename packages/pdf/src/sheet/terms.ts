/** Formats of one PDF: its labels, numbers and texts in the language of its recipient. */
import type { PdfLabel } from '../labels/en.ts';
import { type Labels, labelsFor } from '../labels/labels.ts';
import type { FactValue, PdfDocument, PdfWording } from '../pdf-document.ts';
import { languageFinder, isolateValue, type PdfText } from './text-language.ts';
import { pdfWriter } from './pdf-writer.ts';

/** Returns all text that users have written. Scripts are detected in this text. */
const everything = ({ from, to, facts, lines, entries, payment, texts }: PdfDocument): string =>
  JSON.stringify([from.name, from.address, from.footer, to, facts, lines, entries, payment?.facts, texts]);

/** Returns the labels, numbers and texts of a PDF. */
export function pdfTermsOf(letter: PdfDocument) {
  const { from, to, currency } = letter;
  const hand = pdfWriter(to.language || from.locale, currency);
  const { language, rtl, label }: Labels = labelsFor(hand.language.language);
  const say = languageFinder(hand.language, everything(letter));
  const isolate = rtl ? isolateValue : (value: string) => value;
  /** Returns a label with inserted values, in the direction of the PDF. */
  const insert = (name: PdfLabel, values: Readonly<Record<string, string>>): PdfText => {
    const inserted = Object.entries(values).map(([key, value]) => [key, isolate(value)] as const);
    const text = label(name, Object.fromEntries(inserted));
    return { ...say(text), language, rtl };
  };
  const wording = (name: PdfWording): string => (typeof name === 'string' ? label(name) : name.text);
  const value = (fact: FactValue): string => {
    if ('day' in fact) return hand.day(fact.day);
    if ('money' in fact) return hand.sum(fact.money);
    if ('number' in fact) return hand.number(fact.number);
    return fact.text ?? '';
  };
  return { language, rtl, hand, say, label, insert, isolate, wording, value };
}
export type PdfTerms = ReturnType<typeof pdfTermsOf>;
