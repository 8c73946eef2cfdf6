import { choice, Id, input, record, refTo, ShortText, Timestamp, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions, stateRequest } from '@suite/chassis/operations';
import { z } from 'zod';
import { articleStates, isId } from './article.rules.ts';

const Status = choice('draft', 'published', 'archived');

/** Article as returned in lists. */
export const Article = record({
  title: z.string(),
  slug: z.string().describe('Slug of the article in its URL. Previous slugs still open the article.'),
  excerpt: z.string().describe('Beginning of the text.'),
  category_id: Id.nullable(),
  status: Status,
  tags: z.array(z.string()),
  author_id: Id.nullable(),
  author: z.object({ id: Id, name: z.string() }).nullable(),
  published_at: Timestamp.nullable().describe('Time of the first publication.'),
  views: z.int().describe('Number of views. Each reader counts once a day, and agents do not count.'),
  helpful: z.int(),
  not_helpful: z.int(),
  revision: z.int(),
  allowed_actions: Actions(articleStates),
}).meta({ id: 'Article' });

const Revision = z.object({ revision: z.int(), title: z.string(), by: Id.nullable(), at: Timestamp });

export const ArticleDetails = Article.extend({
  body: z.string().describe('Text of the article in Markdown.'),
  body_html: z.string().describe('Body as sanitised HTML.'),
  revisions: z.array(Revision).optional().describe('Previous revisions, for editors.'),
}).meta({ id: 'ArticleDetails' });

export const ArticleFilter = list(Article, {
  filter: ['category_id', 'status', 'author_id', 'tags', 'published_at', 'views', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'published_at', 'title', 'views'],
  search: 'ranked',
});

const title = ShortText(200).min(1);
const body = z.string().trim().min(1).max(200_000);
const slug = z
  .string()
  .max(80)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use a-z, 0-9 and single hyphens.')
  .refine((text) => !isId(text), 'Enter a slug that is not an ID.');
const category_id = refTo('categories').nullable();
const tags = z.array(ShortText(50).min(1)).max(20);

export const ArticleInput = input({
  title,
  body,
  category_id: category_id.default(null),
  slug: slug.optional().describe('Slug of the article. Derived from the title by default.'),
  tags: tags.default([]),
  status: choice('draft', 'published').default('draft'),
});

export const ArticleChanges = input({
  title: title.optional(),
  body: body.optional(),
  category_id: category_id.optional(),
  slug: slug.optional(),
  tags: tags.optional(),
  status: stateRequest(articleStates, ['published', 'archived'], ['publish', 'archive'])
    .optional()
    .describe('New status, or the action from `allowed_actions` that leads to it.'),
  version,
});

export const Restoration = input({ revision: z.int().min(1).max(2_147_483_647) });
export const Vote = input({ helpful: z.boolean() });

export type ArticleInput = z.output<typeof ArticleInput>;
export type ArticleChanges = z.output<typeof ArticleChanges>;
