/** The labels of PDFs by language, and the choice of the language of a PDF. */
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en, type LabelCatalogue, type PdfLabel } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';

/** The catalogues by ISO 639 language code. */
export const CATALOGUES: Readonly<Record<string, LabelCatalogue>> = { ar, de, en, es, fr, it, ja, nl, pl, pt };

const RTL_LANGUAGES = new Set(['ar']);

/** A catalogue with its language and direction. */
export interface Labels {
  language: string;
  rtl: boolean;
  /** Returns a label, with its placeholders (`{page}`) replaced. */
  label: (name: PdfLabel, values?: Readonly<Record<string, string>>) => string;
}

/** Returns the labels for a language. Languages without a catalogue get English labels. */
export function labelsFor(language: string): Labels {
  const own = Object.hasOwn(CATALOGUES, language) ? language : 'en';
  const catalogue = CATALOGUES[own]!;
  const label: Labels['label'] = (name, values = {}) =>
    catalogue[name].replaceAll(/\{(\w+)\}/g, (placeholder, key: string) => values[key] ?? placeholder);
  return { language: own, rtl: RTL_LANGUAGES.has(own), label };
}
