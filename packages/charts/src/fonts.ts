import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const folder = dirname(require.resolve('@expo-google-fonts/noto-sans/package.json'));

/** The family of all texts in charts. */
export const FAMILY = 'Noto Sans';

/** The files of the font, because servers have none. */
export const fontFiles: readonly string[] = ['400Regular', '700Bold'].map((weight) =>
  join(folder, weight, `NotoSans_${weight}.ttf`),
);
