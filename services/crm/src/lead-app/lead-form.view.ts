/** Choices for lead forms. */
import { sql } from '@suite/chassis/database';
import { many } from '@suite/chassis/lists';
import type { z } from 'zod';
import type { Db } from '../operations.ts';
import { selectableUsers } from '@suite/user-copies';
import type { FormChoices } from './lead-app.schema.ts';

/** Maximum number of choices in a form. */
const CHOICES_MAX = 1_000;

/** Returns all choices of the lead form, in one call and five statements. */
export async function formChoices(db: Db): Promise<z.input<typeof FormChoices>> {
  const pipelines = await db.rows<Record<string, unknown>>(sql`
    SELECT id, name, is_default FROM pipelines ORDER BY position LIMIT ${CHOICES_MAX}`);
  await many('pipeline_id', (ids) =>
    db.rows(sql`
      SELECT pipeline_id, id, name, type, color FROM lead_stages
      WHERE pipeline_id = ANY(${ids}::uuid[]) ORDER BY position`),
  )(pipelines, 'stages');
  return {
    pipelines: pipelines as never,
    sources: await db.rows(sql`SELECT id, name FROM sources ORDER BY name, id LIMIT ${CHOICES_MAX}`),
    labels: await db.rows(sql`SELECT id, name, color, pipeline_id FROM labels ORDER BY name, id LIMIT ${CHOICES_MAX}`),
    users: await db.rows(
      sql`SELECT id, name, kind, email FROM users WHERE ${selectableUsers} ORDER BY name, id LIMIT ${CHOICES_MAX}`,
    ),
  };
}
