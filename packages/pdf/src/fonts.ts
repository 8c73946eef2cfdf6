/** Fonts that a PDF needs: only the fonts of its scripts, because loading all fonts takes longer than printing. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Sheet } from './sheet/sheet.ts';

const require = createRequire(import.meta.url);

/** A font family, with its own name and its files. */
export interface Family {
  family: string;
  files: readonly string[];
}

const noto = (family: string, folder: string): Family => {
  const name = family.replaceAll(' ', '');
  return {
    family,
    files: ['400Regular', '700Bold'].map((weight) => join(dirname(folder), weight, `${name}_${weight}.ttf`)),
  };
};
const eastern = (family: string, main: string, name: string): Family => ({
  family,
  files: ['Regular', 'Bold'].map((weight) => join(dirname(dirname(main)), 'fonts', `${name}-${weight}.otf`)),
});

const latin = noto('Noto Sans', require.resolve('@expo-google-fonts/noto-sans/package.json'));
const arabic = noto('Noto Sans Arabic', require.resolve('@expo-google-fonts/noto-sans-arabic/package.json'));
const hebrew = noto('Noto Sans Hebrew', require.resolve('@expo-google-fonts/noto-sans-hebrew/package.json'));
const thai = noto('Noto Sans Thai', require.resolve('@expo-google-fonts/noto-sans-thai/package.json'));
const devanagari = noto(
  'Noto Sans Devanagari',
  require.resolve('@expo-google-fonts/noto-sans-devanagari/package.json'),
);
const japanese = eastern('Noto Sans Japanese', require.resolve('@embedpdf/fonts-jp'), 'NotoSansJP');
const korean = eastern('Noto Sans Korean', require.resolve('@embedpdf/fonts-kr'), 'NotoSansKR');
const traditional = eastern('Noto Sans T Chinese', require.resolve('@embedpdf/fonts-tc'), 'NotoSansHant');
const simplified = eastern('Noto Sans S Chinese', require.resolve('@embedpdf/fonts-sc'), 'NotoSansHans');
const dejavu = join(dirname(require.resolve('dejavu-fonts-ttf/package.json')), 'ttf');
const rest: Family = {
  family: 'DejaVu Sans',
  files: [join(dejavu, 'DejaVuSansCondensed.ttf'), join(dejavu, 'DejaVuSansCondensed-Bold.ttf')],
};

const EUROPEAN = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u0000-\u036f\u2000-\u206f\u20a0-\u20bf]+/gu;
/** Simplified Chinese has the most characters, so it fills the gaps of the others. */
const FAMILIES: readonly (readonly [signs: RegExp, family: Family])[] = [
  [/\p{Script=Arabic}/gu, arabic],
  [/\p{Script=Hebrew}/gu, hebrew],
  [/\p{Script=Thai}/gu, thai],
  [/\p{Script=Devanagari}/gu, devanagari],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, japanese],
  [/\p{Script=Hangul}/gu, korean],
  [/\p{Script=Bopomofo}/gu, traditional],
  [/[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/gu, simplified],
];
const LANGUAGES: Readonly<Record<string, Family>> = { ja: japanese, ko: korean, 'zh-TW': traditional };

/** All files of fonts that a PDF can need. */
export const fontFiles: readonly string[] = [latin, ...FAMILIES.map(([, family]) => family), rest].flatMap(
  ({ files }) => files,
);

/** Returns the font families for the scripts and languages of a sheet. */
export function fontsFor(sheet: Sheet): Family[] {
  const said = JSON.stringify(sheet);
  const signs = said.replaceAll(EUROPEAN, '');
  const needed = new Set([latin, ...FAMILIES.filter(([some]) => signs.search(some) >= 0).map(([, family]) => family)]);
  for (const [language, family] of Object.entries(LANGUAGES))
    if (said.includes(`"language":"${language}"`)) needed.add(family);
  if (FAMILIES.reduce((left, [some]) => left.replaceAll(some, ''), signs) !== '') needed.add(rest);
  return [...needed];
}
