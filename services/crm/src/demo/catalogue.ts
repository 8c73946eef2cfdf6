import type { Board, Stage } from '../pipeline/board/board.ts';
import { stagesOf } from '../pipeline/board/board.ts';
import { serializeOn } from '../pipeline/board/order.ts';
import { dealBoard } from '../pipeline/board/deal-board.ts';
import { leadBoard } from '../pipeline/board/lead-board.ts';
import type { Db } from '../operations.ts';
import { provideDefaults } from '../pipeline/pipelines/defaults.ts';
import { createPipeline } from '../pipeline/pipelines/pipeline.ts';

/** Demo pipeline, with the IDs of the labels for its records. */
export interface DemoPipeline {
  id: string;
  lead_stages: Stage[];
  deal_stages: Stage[];
  label_ids: string[];
}

/** Existing records that the demo data refers to. */
export interface Catalogue {
  pipelines: [DemoPipeline, ...DemoPipeline[]];
  source_ids: string[];
}

const PARTNERS = { name: 'Partners', is_default: false };
const OWN_LABELS = [
  { name: 'Reseller', color: '#0ea5e9' },
  { name: 'Referral', color: '#14b8a6' },
];

/** Creates the defaults of a workspace if missing and, if requested, a second pipeline. */
export async function createPipelines(db: Db, withPartners: boolean): Promise<void> {
  await provideDefaults(db);
  if (!withPartners) return;
  await serializeOn(db, 'pipelines');
  const known = await db.pipeline.findFirst({ where: { name: PARTNERS.name } });
  const { id: pipeline_id } = known ?? (await createPipeline(db, PARTNERS));
  await db.label.createMany({ data: OWN_LABELS.map((label) => ({ ...label, pipeline_id })), skipDuplicates: true });
}

async function readStages(db: Db, board: Board, pipeline_id: string): Promise<Stage[]> {
  const rows = await stagesOf(db, board).findMany({ where: { pipeline_id }, orderBy: { position: 'asc' } });
  return rows.map(({ id, name, type }) => ({ id, pipeline_id, name, type: type as Stage['type'] }));
}

/** Reads the records that demo data refers to, in a stable order. */
export async function readCatalogue(db: Db): Promise<Catalogue> {
  const pipelines: DemoPipeline[] = [];
  for (const { id } of await db.pipeline.findMany({ orderBy: { position: 'asc' } })) {
    const labels = await db.label.findMany({
      where: { OR: [{ pipeline_id: id }, { pipeline_id: null }] },
      orderBy: { name: 'asc' },
    });
    pipelines.push({
      id,
      lead_stages: await readStages(db, leadBoard, id),
      deal_stages: await readStages(db, dealBoard, id),
      label_ids: labels.map((label) => label.id),
    });
  }
  const sources = await db.source.findMany({ orderBy: { name: 'asc' } });
  return { pipelines: pipelines as Catalogue['pipelines'], source_ids: sources.map(({ id }) => id) };
}
