/** Creation or update of a project, by its ID or external ID. */
import { asCaller, sql } from '@suite/chassis/database';
import { AlreadyExists, assertNoVersion, Forbidden, invalid } from '@suite/chassis/faults';
import type { CommandContext, Db } from '../../operations.ts';
import { createProject, type ProjectReferences, updateProject } from './project.ts';
import type { ProjectSave } from './project.schema.ts';

/**
 * Returns the project with an external ID. @throws AlreadyExists if the caller may not see it: external IDs are unique,
 * and nothing about the project is revealed
 */
async function findByExternalId(db: Db, external_id: string): Promise<string | undefined> {
  // Serializes concurrent saves of one project, so that the later one finds it.
  await db.rows(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ${`project ${external_id}`}, 0))`);
  const project = () => db.project.findFirst({ where: { external_id }, select: { id: true } });
  const existing = await project();
  if (existing && !(await asCaller(project))) throw AlreadyExists({ external_id });
  return existing?.id;
}

/** Saves a project. Creates it if there is none with the external ID. Returns its ID. */
export async function saveProject(
  context: CommandContext,
  { id, external_id, deal_id, template_id, status, version: _, ...fields }: ProjectSave,
  given: ProjectReferences & { expect: number | undefined },
): Promise<{ created: boolean; id: string }> {
  if (id && external_id) throw invalid('external_id', 'Enter either of the two IDs, not both.');
  const existing = id ?? (external_id ? await findByExternalId(context.db, external_id) : undefined);
  const permission = existing ? 'project.update' : 'project.create';
  if (!context.caller.permissions.includes(permission)) throw Forbidden({ permission });
  if (existing) {
    if (template_id || deal_id)
      throw invalid(template_id ? 'template_id' : 'deal_id', 'This can only be set when a project is created.');
    if (status) throw invalid('status', 'You cannot change the status of a project here. Change it separately.');
    await updateProject(context, existing, fields, given);
    return { created: false, id: existing };
  }
  const { name, active, health, ...columns } = fields;
  assertNoVersion(given.expect);
  if (name === undefined) throw invalid('name', 'Enter a project.');
  const begun = status ?? 'not_started';
  if (begun !== 'not_started' && begun !== 'in_progress')
    throw invalid('status', 'A new project must be “not started” or “in progress”. Choose another status.');
  const input = { ...columns, name, external_id, deal_id, template_id, status: begun };
  const made = await createProject(context, input, given);
  if (active === false || health)
    await updateProject(context, made, { active, health }, { ...given, expect: undefined });
  return { created: true, id: made };
}
