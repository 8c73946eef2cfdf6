/**
 * Returns a value as JSON with one line per entry of its lists, or per entry of the value if it contains no list. A
 * changed entry is one changed line.
 */
export function linesOfJson(value: object): string {
  if (Array.isArray(value))
    return block(
      '[',
      ']',
      value.map((entry) => JSON.stringify(entry)),
    );
  const nested = Object.values(value).some(Array.isArray);
  const entries = Object.entries(value).map(
    ([name, entry]: [string, object]) =>
      `${JSON.stringify(name)}: ${nested ? linesOfJson(entry) : JSON.stringify(entry)}`,
  );
  return block('{', '}', entries);
}

const block = (first: string, last: string, entries: readonly string[]): string =>
  `${first}\n${entries.join(',\n')}\n${last}`;
