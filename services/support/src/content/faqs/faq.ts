/** Creates, changes, orders and deletes FAQs. */
import { assertVersion, find, storePositions, remove, sql, moveToPosition } from '@suite/chassis/database';
import { assertInScope, type Caller } from '@suite/chassis/identity';
import { readOne } from '@suite/chassis/lists';
import { type Db, serializeOn } from '../../operations.ts';
import { Faq, type FaqChanges, type FaqInput } from './faq.schema.ts';

interface FaqContext {
  db: Db;
  caller: Caller;
}

const readFaq = (db: Db, id: string) => readOne(db, Faq, id, { table: 'faqs' });

async function faqIdsIn(db: Db, category_id: string | null): Promise<string[]> {
  const faqs = await db.faq.findMany({
    where: { category_id },
    select: { id: true },
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
  });
  return faqs.map(({ id }) => id);
}

/** Moves an FAQ to a position in its category. Defaults to the end. */
async function moveFaq(db: Db, category_id: string | null, id: string, position: number | undefined): Promise<void> {
  await storePositions(db, sql`faqs`, moveToPosition(await faqIdsIn(db, category_id), id, position));
}

/** Creates an FAQ at a position in its category, or at the end. @param answer_html answer as HTML */
export async function createFaq(db: Db, { position, ...input }: FaqInput, answer_html: string) {
  await serializeOn(db, 'faqs');
  const { length } = await faqIdsIn(db, input.category_id);
  const { id } = await db.faq.create({ data: { ...input, answer_html, position: length } });
  if (position !== undefined) await moveFaq(db, input.category_id, id, position);
  return await readFaq(db, id);
}

/** Updates or moves an FAQ. In another category, the position defaults to the end. @throws Stale, Forbidden */
export async function changeFaq(
  { db, caller }: FaqContext,
  id: string,
  { version: _, position, ...patch }: FaqChanges,
  { answer_html, expect }: { answer_html: string | undefined; expect: number | undefined },
) {
  await serializeOn(db, 'faqs');
  const before = await find(db.faq, id);
  assertInScope(caller, 'faq', before.created_by);
  assertVersion(before, expect);
  const { category_id = before.category_id } = patch;
  await db.faq.updateMany({ where: { id }, data: { ...patch, answer_html } });
  const isMoved = category_id !== before.category_id;
  if (isMoved || position !== undefined) await moveFaq(db, category_id, id, position);
  if (isMoved) await storePositions(db, sql`faqs`, await faqIdsIn(db, before.category_id));
  return await readFaq(db, id);
}

/** Deletes an FAQ. The following ones move up. @throws Forbidden */
export async function removeFaq({ db, caller }: FaqContext, id: string): Promise<{ id: string }> {
  await serializeOn(db, 'faqs');
  const { category_id, created_by } = await find(db.faq, id);
  assertInScope(caller, 'faq', created_by);
  await remove(db.faq, id);
  await storePositions(db, sql`faqs`, await faqIdsIn(db, category_id));
  return { id };
}

/** Moves all FAQs of a category to the end of another one. */
export async function moveFaqs(db: Db, from: string, to: string): Promise<void> {
  await serializeOn(db, 'faqs');
  const [moved, existing] = [await faqIdsIn(db, from), await faqIdsIn(db, to)];
  await db.faq.updateMany({ where: { category_id: from }, data: { category_id: to } });
  await storePositions(db, sql`faqs`, [...existing, ...moved]);
}
