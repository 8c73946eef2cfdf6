/** Labels: which pipeline one belongs to is settled when it is made, and decides which records can carry it. */
import { change, invalid, sql } from '@suite/chassis';
import type { z } from 'zod';
import type { Db } from '../operations.ts';
import type { LabelChanges, LabelInput } from './label.schema.ts';

/** Makes a label. @throws a 422 when there is no such pipeline */
export async function createLabel(db: Db, input: z.output<typeof LabelInput>) {
  if (input.pipeline_id) {
    // Held, so that the pipeline cannot go before the label is there.
    const [pipeline] = await db.rows(sql`SELECT id FROM pipelines WHERE id = ${input.pipeline_id}::uuid FOR KEY SHARE`);
    if (!pipeline) throw invalid('pipeline_id', 'Pipeline not found.');
  }
  return await db.label.create({ data: input });
}

/** Renames or recolours a label. It stays with its pipeline: records of that pipeline carry it. */
export const changeLabel = (
  db: Db,
  id: string,
  { version: _, ...patch }: z.output<typeof LabelChanges>,
  expect: number | undefined,
) => change(db.label, id, patch, expect);
