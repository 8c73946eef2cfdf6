import { Id, input, record, refTo, ShortText, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { faqActions } from './faq.rules.ts';

/** FAQ with its answer. */
export const Faq = record({
  question: z.string(),
  answer: z.string().describe('Answer in Markdown.'),
  answer_html: z.string().describe('Answer as sanitised HTML.'),
  category_id: Id.nullable(),
  position: z.int().describe('Zero-based position in the category, without gaps.'),
  active: z.boolean().describe('Whether all users see the FAQ. Inactive FAQs are visible to their editors only.'),
  allowed_actions: Actions(faqActions),
}).meta({ id: 'Faq' });

export const FaqFilter = list(Faq, {
  filter: ['category_id', 'active', 'position', 'created_at', 'updated_at'],
  sort: ['position', 'question', 'created_at', 'updated_at'],
  order: 'position',
  search: true,
});

const question = ShortText(300).min(1);
const answer = z.string().trim().min(1).max(20_000);
const category_id = refTo('categories').nullable();
const position = z.int().min(0).max(1_000_000);

export const FaqInput = input({
  question,
  answer,
  category_id: category_id.default(null),
  position: position.optional().describe('Defaults to the end.'),
  active: z.boolean().default(true),
});

export const FaqChanges = input({
  question: question.optional(),
  answer: answer.optional(),
  category_id: category_id.optional(),
  position: position.optional(),
  active: z.boolean().optional(),
  version,
});

export type FaqInput = z.output<typeof FaqInput>;
export type FaqChanges = z.output<typeof FaqChanges>;
