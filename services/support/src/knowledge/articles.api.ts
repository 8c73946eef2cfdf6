/** Articles of the knowledge base, written in Markdown. Earlier revisions are stored. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { z } from 'zod';
import { MarkdownTooComplex } from '../content/markdown/bounded-markdown.ts';
import { command, query } from '../operations.ts';
import { changeArticle, createArticle, removeArticle, renderText, restoreArticle, readRevision } from './article.ts';
import { viewArticle, voteOnArticle } from './article-feedback.ts';
import { articleStates } from './article.rules.ts';
import {
  ArticleChanges,
  ArticleDetails,
  ArticleFilter,
  ArticleInput,
  Article,
  Restoration,
  Vote,
} from './article.schema.ts';
import { listArticles } from './article.view.ts';

export const list = query('GET /api/support-ticket/knowledges', {
  summary: 'List articles',
  description:
    'Returns articles. Users without `article.update` see published articles only. With `q`, the newest 200 matches are ranked, and older ones follow by age.',
  access: can('article.view'),
  query: ArticleFilter,
  reply: page(Article),
  handle: ({ db, query, caller }) => listArticles(db, query, caller),
});

// Declared as a command because it counts the reader.
export const show = command('GET /api/support-ticket/knowledge/show/{id_or_slug}', {
  summary: 'Get an article',
  description:
    'Returns an article by ID, or by a current or previous `slug`. Counts one view per reader and day of a published article.',
  addition: 'Lists show only the first words of an article.',
  access: can('article.view'),
  params: { id_or_slug: z.string().max(80) },
  reply: ok(ArticleDetails),
  handle: ({ params, ...context }) => viewArticle(context, params.id_or_slug),
});

export const create = command('POST /api/support-ticket/knowledge/store', {
  summary: 'Create an article',
  description: 'Creates an article, by default as a draft. `slug` defaults to a slug generated from the title.',
  access: can('article.create'),
  body: ArticleInput,
  reply: created(ArticleDetails),
  faults: [MarkdownTooComplex],
  prepare: ({ body, caller }) => renderText(caller.workspace_id, body.body),
  handle: ({ body, prepared, ...context }) => createArticle(context, body, prepared),
});

export const update = command('POST /api/support-ticket/knowledge/update/{knowledge_id}', {
  summary: 'Update, publish or archive an article',
  description:
    'Updates an article. A new title or body creates a revision and keeps the previous one. Previous slugs still open the article.',
  access: articleStates.can('update', 'publish', 'archive'),
  params: { knowledge_id: idOf('articles') },
  body: ArticleChanges,
  reply: ok(ArticleDetails),
  faults: [MarkdownTooComplex],
  prepare: async ({ body, caller }) =>
    body.body === undefined ? undefined : await renderText(caller.workspace_id, body.body),
  handle: ({ params, body, prepared, expect, ...context }) =>
    changeArticle(context, params.knowledge_id, body, { rendered: prepared, expect }),
});

export const remove = command('POST /api/support-ticket/knowledge/delete/{knowledge_id}', {
  summary: 'Delete an article',
  description: 'Deletes a draft, or an archived article with its revisions. Archive a published article first.',
  access: articleStates.can('delete'),
  params: { knowledge_id: idOf('articles') },
  reply: removed,
  handle: ({ params, ...context }) => removeArticle(context, params.knowledge_id),
});

export const restore = command('POST /api/support-ticket/knowledge/restore/{id}', {
  summary: 'Restore an article revision',
  description: 'Restores title and body of an earlier revision, as a new revision.',
  addition: 'Earlier revisions are stored so that they can be restored.',
  access: can('article.update'),
  params: { id: idOf('articles') },
  body: Restoration,
  reply: ok(ArticleDetails),
  faults: [MarkdownTooComplex],
  async prepare({ params, body, read, caller }) {
    const revision = await read((db) => readRevision(db, params.id, body.revision));
    return { title: revision.title, body: revision.body, ...(await renderText(caller.workspace_id, revision.body)) };
  },
  handle: ({ params, prepared, ...context }) => restoreArticle(context, params.id, prepared),
});

export const vote = command('POST /api/support-ticket/knowledge/vote/{id}', {
  summary: 'Vote on an article',
  description: 'Stores whether the article helped you. A later vote replaces your earlier one.',
  addition: 'The specification counts helpful votes, but has no operation that casts one.',
  access: articleStates.can('vote'),
  params: { id: idOf('articles') },
  body: Vote,
  reply: ok(ArticleDetails),
  handle: ({ params, body, ...context }) => voteOnArticle(context, params.id, body.helpful),
});
