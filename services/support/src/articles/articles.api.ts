/** Articles of the knowledge base: written in Markdown, published for readers, kept with their former revisions. */
import { can, created, idOf, ok, page, removed } from '@suite/chassis';
import { z } from 'zod';
import { MarkdownTooComplex } from '../markdown/bounded-markdown.ts';
import { command, query } from '../operations.ts';
import { changeArticle, createArticle, removeArticle, rendered, restoreArticle, wordsOf } from './article.ts';
import { openArticle, voteOnArticle } from './article-feedback.ts';
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
    'Callers without `article.update` see published articles only. With `q`, the newest 500 matches are ranked; older ones follow by age.',
  access: can('article.view'),
  query: ArticleFilter,
  reply: page(Article),
  handle: ({ db, query, caller }) => listArticles(db, query, caller),
});

// A command, since it counts the reader.
export const show = command('GET /api/support-ticket/knowledge/show/{id_or_slug}', {
  summary: 'Get an article',
  description: 'By its id, or by an address that it has or had. A reader of a published article counts once a day.',
  access: can('article.view'),
  params: { id_or_slug: z.string().max(80) },
  reply: ok(ArticleDetails),
  handle: ({ params, ...context }) => openArticle(context, params.id_or_slug),
});

export const create = command('POST /api/support-ticket/knowledge/store', {
  summary: 'Create an article',
  description: 'Without an address of its own it gets one that is made of its title.',
  access: can('article.create'),
  body: ArticleInput,
  reply: created(ArticleDetails),
  faults: [MarkdownTooComplex],
  prepare: ({ body, caller }) => rendered(caller.workspace_id, body.body),
  handle: ({ body, prepared, ...context }) => createArticle(context, body, prepared),
});

export const update = command('POST /api/support-ticket/knowledge/update/{knowledge_id}', {
  summary: 'Update, publish or archive an article',
  description: 'Another title or body is a new revision, and the former one is kept. Former addresses lead to it, too.',
  access: articleStates.can('update', 'publish', 'archive'),
  params: { knowledge_id: idOf('articles') },
  body: ArticleChanges,
  reply: ok(ArticleDetails),
  faults: [MarkdownTooComplex],
  prepare: async ({ body, caller }) =>
    body.body === undefined ? undefined : await rendered(caller.workspace_id, body.body),
  handle: ({ params, body, prepared, expect, ...context }) =>
    changeArticle(context, params.knowledge_id, body, { made: prepared, expect }),
});

export const remove = command('POST /api/support-ticket/knowledge/delete/{knowledge_id}', {
  summary: 'Delete an article',
  description: 'A draft, or an archived one with its revisions.',
  access: articleStates.can('delete'),
  params: { knowledge_id: idOf('articles') },
  reply: removed,
  handle: ({ params, ...context }) => removeArticle(context, params.knowledge_id),
});

export const restore = command('POST /api/support-ticket/knowledge/restore/{id}', {
  summary: 'Restore an article revision',
  description: 'Its words become those of a new revision.',
  access: can('article.update'),
  params: { id: idOf('articles') },
  body: Restoration,
  reply: ok(ArticleDetails),
  faults: [MarkdownTooComplex],
  async prepare({ params, body, read, caller }) {
    const words = await read((db) => wordsOf(db, params.id, body.revision));
    return { title: words.title, body: words.body, ...(await rendered(caller.workspace_id, words.body)) };
  },
  handle: ({ params, prepared, ...context }) => restoreArticle(context, params.id, prepared),
});

export const vote = command('POST /api/support-ticket/knowledge/vote/{id}', {
  summary: 'Vote on an article',
  description: 'Once each, and it may be changed.',
  access: articleStates.can('vote'),
  params: { id: idOf('articles') },
  body: Vote,
  reply: ok(ArticleDetails),
  handle: ({ params, body, ...context }) => voteOnArticle(context, params.id, body.helpful),
});
