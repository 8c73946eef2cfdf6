/** Conformance of searches to the texts that lists declare. */
import { expect, test } from '@jest/globals';
import type { ListQuery, SearchedTexts } from '@suite/chassis/declarations';
import type { Reply } from '../http.ts';

type SearchRequester = (parameters: Record<string, string>) => Promise<Reply>;
const rows = ({ body }: Reply): Record<string, unknown>[] => body.data;

/** PostgreSQL divides a UUID at different places, for example where it looks like a number with an exponent. */
const UUID = /[\da-f]{8}-[\da-f]{4}/;

/** Returns the first word of a text that a search finds. */
const wordOf = (text: unknown): string | undefined =>
  typeof text === 'string' && !UUID.test(text) ? /[\p{L}\p{N}]{2,}/u.exec(text)?.[0] : undefined;

/** Returns the words that must find a record: one of each searched text of its own and of its expanded records. */
function wordsOf(record: Record<string, unknown>, { texts = [], through = {} }: SearchedTexts): string[] {
  const own = texts.map((name) => record[name]);
  const linked = Object.entries(through).flatMap(([column, { texts: names }]) => {
    const expanded = record[column.replace(/_id$/, '')] as Record<string, unknown> | null | undefined;
    return names.map((name) => expanded?.[name]);
  });
  return [...own, ...linked].flatMap((text) => wordOf(text) ?? []);
}

/** Tests that a list is searched by each of its declared texts, and by no other word. */
export function testSearch(ask: SearchRequester, { searched, expand }: ListQuery): void {
  if (!searched) return;
  test('finds records by each text that it searches', async () => {
    const names = Object.keys(searched.through ?? {}).map((column) => column.replace(/_id$/, ''));
    const expanded = names.filter((name) => expand.includes(name)).join(',');
    const records = rows(await ask(expanded ? { expand: expanded } : {}));
    for (const record of records.slice(0, 5)) {
      const id = String(record['id']);
      for (const q of wordsOf(record, searched))
        expect([q, rows(await ask({ q, id }))]).toEqual([q, [expect.objectContaining({ id })]]);
      expect(rows(await ask({ q: 'nosuchwordanywhere', id }))).toEqual([]);
    }
  });
}
