/** The addresses of articles. Each leads to one article for ever, as long as there is it; so links stay good. */
import { AlreadyExists, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { isId } from './article.rules.ts';
import { serializeOn } from '../serialize.ts';

const LONGEST = 80;

/** A text as an address, without a hyphen at its end. */
const cut = (slug: string, length: number): string => slug.slice(0, length).replace(/-+$/, '');

/** An address made of a title: `Wie geht's?` is `wie-geht-s`. */
export function slugOf(title: string): string {
  const letters = title.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
  const slug = cut(letters.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, ''), LONGEST) || 'article';
  return isId(slug) ? `article-${slug}` : slug;
}

/** The first address that is free: with -2, -3 … behind it, when it is taken. Nobody takes one meanwhile. */
export async function freeSlug(db: Db, title: string): Promise<string> {
  await serializeOn(db, 'article slugs');
  const slug = slugOf(title);
  const numbered = Array.from({ length: 4 }, (_, digits) => cut(slug, LONGEST - 2 - digits));
  const rows = await db.rows<{ slug: string }>(sql`
    SELECT slug FROM article_slugs
    WHERE slug = ${slug} OR regexp_replace(slug, '-[0-9]{1,4}$', '') = ANY(${numbered}::text[])`);
  const taken = new Set(rows.map((row) => row.slug));
  for (let next = slug, number = 2; ; number += 1) {
    if (!taken.has(next)) return next;
    next = `${cut(slug, LONGEST - 1 - String(number).length)}-${number}`;
  }
}

/** Lets an address lead to an article. @throws AlreadyExists when it leads to another one */
export async function takeSlug(db: Db, slug: string, article_id: string): Promise<void> {
  await db.rows(sql`
    INSERT INTO article_slugs (slug, article_id) VALUES (${slug}, ${article_id}::uuid) ON CONFLICT DO NOTHING`);
  const [holder] = await db.rows<{ article_id: string }>(
    sql`SELECT article_id FROM article_slugs WHERE slug = ${slug}`,
  );
  if (holder?.article_id !== article_id) throw AlreadyExists({ field: 'slug' });
}
