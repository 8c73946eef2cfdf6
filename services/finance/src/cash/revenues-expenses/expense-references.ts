/** References of an expense to other services, requested before its transaction. */
import { invalid } from '@suite/chassis/faults';
import type { TaxSnapshot } from '@suite/document-lines';
import type { Rpc } from '../../operations.ts';
import { snapshotTax } from './cash-tax.ts';

/**
 * Checks the project of an expense. @throws a 422 if the project is not visible to the caller, is archived, or is a
 * template
 */
async function assertProject(rpc: Rpc, project_id: string | null | undefined): Promise<void> {
  if (!project_id) return;
  const { projects } = await rpc.projects.batchGetProjects({ project_ids: [project_id] });
  const [project] = projects;
  if (!project || project.is_template) throw invalid('project_id', 'Project not found.');
  if (!project.active) throw invalid('project_id', 'This project is archived. Choose another project.');
}

/** Returns the tax of an expense and checks its project. @throws a 422 that names the field */
export async function fetchReferences(
  rpc: Rpc,
  { tax_id, project_id }: { tax_id?: string | null | undefined; project_id?: string | null | undefined },
): Promise<TaxSnapshot | null | undefined> {
  await assertProject(rpc, project_id);
  return await snapshotTax(rpc, tax_id);
}
