/** Page of decisions, generated from comments with `Chosen:`. */

/** A source file: its path and its text. */
export interface SourceFile {
  path: string;
  text: string;
}

const MARK = 'Chosen:';
/** A line with the mark in a comment. A mark in a string, or in backquotes, is not a decision. */
const IN_COMMENT = new RegExp(`^\\s*(?:/\\*\\*?|\\*|--|.*//).*(?<![\`'])${MARK}`);

/** Returns the section title for a path. */
const area = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('gateway') ? 1 : 2)
    .join('/');

/** Returns the text of the comment that begins at a line, without comment marks. */
function commentFrom(lines: readonly string[], at: number): string {
  const words: string[] = [];
  for (let line = at; line < lines.length; line += 1) {
    const isComment = line === at || /^\s*(?:\*(?!\/)|\/\/|--)/.test(lines[line]!);
    if (!isComment) break;
    const text = line === at ? lines[line]!.slice(lines[line]!.indexOf(MARK) + MARK.length) : lines[line]!;
    const plain = text
      .replace(/^\s*(?:\/\/|--|\*)\s?/, '')
      .trimEnd()
      .replace(/\*\/$/, '')
      .trim();
    // A tag or an empty line ends the paragraph.
    if (line > at && (plain === '' || plain.startsWith('@'))) break;
    // The next mark begins another decision.
    const [own = ''] = plain.split(MARK);
    words.push(own.trim());
    if (own !== plain || lines[line]!.includes('*/')) break;
  }
  const text = words.join(' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns every decision of a file, with its path. */
function decisionsOf({ path, text }: SourceFile): { path: string; decision: string }[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => (IN_COMMENT.test(line) ? [{ path, decision: commentFrom(lines, at) }] : []));
}

/** Returns `docs/decisions.md`: decisions that the specification leaves open, by area. */
export function decisionsText(files: readonly SourceFile[]): string {
  const all = files.flatMap(decisionsOf);
  const sections = [...Map.groupBy(all, ({ path }) => area(path))].flatMap(([title, decisions]) => [
    `## ${title}`,
    '',
    ...decisions.map(({ path, decision }) => `- ${decision} ([${path.split('/').at(-1)}](../${path}))`),
    '',
  ]);
  return [
    '# Decisions',
    '',
    'Written by `npm run generate` from the comments that begin with `Chosen:`. Each marks a decision that the specification leaves open.',
    '',
    ...sections,
  ].join('\n');
}
