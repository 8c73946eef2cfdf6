/** References of an expense to other services, asked for before its transaction. */
import { invalid } from '@suite/chassis';
import type { TaxSnapshot } from '@suite/document-lines';
import type { Rpc } from '../operations.ts';
import { snapshotTax } from './cash-tax.ts';

/** @throws a 422 for a project that the caller does not see, that is archived, or that is a template */
async function assertProject(rpc: Rpc, project_id: string | null | undefined): Promise<void> {
  if (!project_id) return;
  const { projects } = await rpc.projects.batchGetProjects({ project_ids: [project_id] });
  const [project] = projects;
  if (!project || project.is_template) throw invalid('project_id', 'Project not found.');
  if (!project.active) throw invalid('project_id', 'This project is archived.');
}

/** The tax of an expense; its project is asked for. @throws a 422 that names the field */
export async function askForReferences(
  rpc: Rpc,
  { tax_id, project_id }: { tax_id?: string | null | undefined; project_id?: string | null | undefined },
): Promise<TaxSnapshot | null | undefined> {
  await assertProject(rpc, project_id);
  return await snapshotTax(rpc, tax_id);
}
