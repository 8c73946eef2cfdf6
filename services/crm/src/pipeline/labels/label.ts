/** Labels. The pipeline of a label is set at creation, and determines the records that can have it. */
import { change, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { z } from 'zod';
import type { Db } from '../../operations.ts';
import type { LabelChanges, LabelInput } from './label.schema.ts';

/** Creates a label. @throws a 422 if the pipeline does not exist */
export async function createLabel(db: Db, input: z.output<typeof LabelInput>) {
  if (input.pipeline_id) {
    // Locked, so that the pipeline cannot be deleted before the label is created.
    const [pipeline] = await db.rows(sql`SELECT id FROM pipelines WHERE id = ${input.pipeline_id}::uuid FOR KEY SHARE`);
    if (!pipeline) throw invalid('pipeline_id', 'Pipeline not found.');
  }
  return await db.label.create({ data: input });
}

/** Renames or recolours a label. Its pipeline cannot change, because records of that pipeline use it. */
export const changeLabel = (
  db: Db,
  id: string,
  { version: _, ...patch }: z.output<typeof LabelChanges>,
  expect: number | undefined,
) => change(db.label, id, patch, expect);
