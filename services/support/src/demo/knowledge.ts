/** FAQs and articles of the demo, created once for each workspace without any. */
import { clock } from '@suite/chassis/runtime';
import { daysFrom, type DemoWorkspace } from '@suite/demo';
import { articleSlug, assignSlug } from '../knowledge/article-slug.ts';
import { excerptOf, toHtml } from '../content/markdown/markdown.ts';
import type { Db } from '../operations.ts';

const QUESTIONS = [
  ['How do I reset my password?', 'Choose **Forgotten password** where you sign in. The link works for one hour.'],
  ['Where do I find my invoices?', 'Under *Billing*, newest first. Each one is a PDF, too.'],
  ['Can I change my plan?', 'At any time. The change takes effect immediately, and your previous payment is credited.'],
  ['Which browsers do you support?', 'The last two releases of Chrome, Edge, Firefox and Safari.'],
  ['How do I reach you?', 'Open a ticket, or write to [support](mailto:support@northwind.example).'],
] as const;

const SUBJECTS = [
  'orders',
  'invoices',
  'deliveries',
  'returns',
  'users',
  'reports',
  'stock',
  'prices',
  'contacts',
  'exports',
];
const PARTS = [
  ['Getting started with', 'The first steps.', 'published'],
  ['Settings of', 'Every setting and when it is worth a change.', 'published'],
  ['Troubleshooting', 'If something does not look right, begin here.', 'draft'],
] as const;

const text = (title: string, about: string) =>
  `${about}\n\n## Before you begin\n\n1. Sign in.\n2. Choose *${title}*.\n3. Follow the steps on the page.\n\n> If you need help, open a ticket.`;

/** Adds FAQs and thirty articles, unless there are any. */
export async function addKnowledge(db: Db, { users }: Pick<DemoWorkspace, 'users'>): Promise<void> {
  if ((await db.article.count()) > 0) return;
  const author = users.find(({ kind }) => kind === 'owner' || kind === 'staff');
  const categories = await db.category.findMany({ select: { id: true }, orderBy: { name: 'asc' } });
  const questions = QUESTIONS.map(([question, answer], position) => ({
    question,
    answer,
    position,
    answer_html: toHtml(answer),
  }));
  await db.faq.createMany({ data: questions });
  for (const [index, subject] of SUBJECTS.entries()) {
    for (const [part, [begin, about, status]] of PARTS.entries()) {
      const title = `${begin} ${subject}`;
      const body = text(title, about);
      const at = daysFrom(clock.now(), -3 * (index * PARTS.length + part));
      const article = await db.article.create({
        data: {
          title,
          body,
          body_html: toHtml(body),
          excerpt: excerptOf(toHtml(body), 200),
          slug: articleSlug(title),
          status,
          published_at: status === 'draft' ? null : at,
          category_id: categories[index % categories.length]?.id ?? null,
          tags: [subject],
          author_id: author?.id ?? null,
          revised_by: author?.id ?? null,
        },
      });
      await assignSlug(db, article.slug, article.id);
      await db.articleCounts.create({ data: { article_id: article.id } });
    }
  }
}
