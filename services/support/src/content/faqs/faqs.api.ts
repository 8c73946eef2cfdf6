/** FAQs in order and by category. Inactive FAQs are visible to editors only. */
import { sql } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { MarkdownTooComplex, markdownToHtml } from '../markdown/bounded-markdown.ts';
import { command, query } from '../../operations.ts';
import { changeFaq, createFaq, removeFaq } from './faq.ts';
import { faqActions } from './faq.rules.ts';
import { Faq, FaqChanges, FaqFilter, FaqInput } from './faq.schema.ts';

export const list = query('GET /api/support-ticket/faqs', {
  summary: 'List FAQs',
  description: 'Returns FAQs in their order. Users without `faq.update` see active FAQs only.',
  access: can('faq.view'),
  query: FaqFilter,
  reply: page(Faq),
  handle: ({ db, query, caller }) =>
    paginate(db, query, {
      table: 'faqs',
      ...(!caller.permissions.includes('faq.update') && { where: sql`faqs.active` }),
    }),
});

export const create = command('POST /api/support-ticket/faqs/store', {
  summary: 'Create an FAQ',
  description:
    'Creates an FAQ with an answer in Markdown. Questions are unique within a category. Returns `markdown_too_complex` for deeply nested text.',
  access: can('faq.create'),
  body: FaqInput,
  reply: created(Faq),
  faults: [MarkdownTooComplex],
  prepare: async ({ body, caller }) => (await markdownToHtml(caller.workspace_id, body.answer)).html,
  handle: ({ db, body, prepared }) => createFaq(db, body, prepared),
});

export const update = command('POST /api/support-ticket/faq/update/{faq_id}', {
  summary: 'Update an FAQ',
  description:
    'Updates an FAQ. `position` moves it within its category. In a new category, the position defaults to the end.',
  access: faqActions.can('update'),
  params: { faq_id: idOf('faqs') },
  body: FaqChanges,
  reply: ok(Faq),
  faults: [MarkdownTooComplex],
  prepare: async ({ body, caller }) =>
    body.answer === undefined ? undefined : (await markdownToHtml(caller.workspace_id, body.answer)).html,
  handle: ({ params, body, prepared, expect, ...context }) =>
    changeFaq(context, params.faq_id, body, { answer_html: prepared, expect }),
});

export const remove = command('POST /api/support-ticket/faq/delete/{faq_id}', {
  summary: 'Delete an FAQ',
  description: 'Deletes an FAQ. The following FAQs of the category move up.',
  access: faqActions.can('delete'),
  params: { faq_id: idOf('faqs') },
  reply: removed,
  handle: ({ params, ...context }) => removeFaq(context, params.faq_id),
});
