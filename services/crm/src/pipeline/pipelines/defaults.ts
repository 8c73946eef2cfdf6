/** Default pipeline of a workspace, so that its first lead has a stage. */
import { serializeOn } from '../board/order.ts';
import type { Db } from '../../operations.ts';
import { createPipeline } from './pipeline.ts';

const LABELS = [
  { name: 'Hot', color: '#ef4444' },
  { name: 'Warm', color: '#f59e0b' },
  { name: 'Cold', color: '#3b82f6' },
  { name: 'Key account', color: '#8b5cf6' },
];
const SOURCES = ['Website', 'Recommendation', 'Trade fair', 'Advertisement', 'Social media', 'Cold call'];

/**
 * Creates the default pipeline with stages, labels and sources of a workspace. Skips each part that users have already
 * created.
 */
export async function provideDefaults(db: Db): Promise<void> {
  await serializeOn(db, 'pipelines');
  if ((await db.pipeline.count()) === 0) await createPipeline(db, { name: 'Sales', is_default: true });
  if ((await db.label.count()) === 0) await db.label.createMany({ data: LABELS, skipDuplicates: true });
  if ((await db.source.count()) === 0) {
    await db.source.createMany({ data: SOURCES.map((name) => ({ name })), skipDuplicates: true });
  }
}
