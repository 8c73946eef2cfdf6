/** The names of received files. */

/** File types with several extensions. */
const SPELLINGS: Readonly<Record<string, string>> = {
  jpg: 'jpe?g',
  html: 'html?',
  tif: 'tiff?',
  'tar.gz': 'tar\\.gz|tgz',
};

/** Lengths of the beginning and the end of a name that are read. Normalising long sequences of marks takes quadratic time. */
const HEAD_MAX = 500;
const TAIL_MAX = 20;

/** Removes the characters of a name that could mislead users or programs, and adds the extension of the content. */
export function safeFileName(name: string, ext: string): string {
  const read = name.length > HEAD_MAX + TAIL_MAX ? name.slice(0, HEAD_MAX) + name.slice(-TAIL_MAX) : name;
  const visible = read
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '');
  const clean =
    visible
      .replaceAll(/[\\/:*?"<>|%;]/g, '_')
      .replace(/^[.\s]+/, '')
      .trimEnd() || 'file';
  const [ending = ''] = new RegExp(`\\.(?:${SPELLINGS[ext] ?? ext})$`, 'i').exec(clean) ?? [];
  const stem = Array.from(clean.slice(0, clean.length - ending.length))
    .slice(0, 120)
    .join('');
  return `${stem}${ending || `.${ext}`}`;
}
