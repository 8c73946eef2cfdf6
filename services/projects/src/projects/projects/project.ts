/** Creation, update and deletion of projects, with their rules. */
import { randomUUIDv7 } from 'node:crypto';
import { assertVersion, find, remove, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { assertUnused, inUseFault } from '@suite/chassis/lists';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { moveTo } from '@suite/chassis/operations';
import { exactAmount } from '@suite/document-lines';
import type { Customer } from '@suite/proto/finance/v1/finance';
import { ProjectCreated, ProjectStatusChanged } from '@suite/proto/projects/v1/events';
import { type PlatformUser, userOf, upsertUserCopies } from '@suite/user-copies';
import { enterProject, findProject } from '../../work/access/access.ts';
import { assertActive, assertRole, projectStates } from '../../work/access/project.rules.ts';
import { type NewActivity, recordActivities } from '../../work/activities/activity.ts';
import { addClients, replaceClients } from '../../work/clients/client.ts';
import { assertManaged, type Membership, replaceMembers, upsertMembers, managedBy } from '../members/member.ts';
import { customerCopies } from '../../copies.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { TimerRunning } from '../../time/time/time-entry.rules.ts';
import { copyStages } from '../../work/stages/stage.ts';
import { changesOf } from './project-changes.ts';
import { claimCode, freeCode } from './project-code.ts';
import { copyTemplate, type ProjectTemplate, templateOf } from './project-template.ts';
import type { ProjectChanges, ProjectInput } from './project.schema.ts';

/** Data from other services that a request needs. */
export interface ProjectReferences {
  people: readonly PlatformUser[];
  customer: Customer | undefined;
}

/** New project with all its users. */
interface NewProject extends Omit<ProjectInput, 'members' | 'client_ids' | 'template_id' | 'customer_id'> {
  currency: string;
  members: readonly Membership[];
  client_ids: readonly string[];
  template: ProjectTemplate | undefined;
  customer_id?: string | null | undefined;
  customer_name?: string | null;
  /** User who creates the project. Null if a deal does. */
  actor_id: string | null;
}

/** Checks the order of the dates. @throws a 422 if a project would end before it starts */
export function assertOrder(start: string | null | undefined, end: string | null | undefined): void {
  if (start && end && end < start) throw invalid('end_date', 'The last day must not be before the first day.');
}

/** Creates a project with its members, clients and stages, and the tasks of its template. Returns its ID. */
export async function openProject(db: Db, emit: Emit, beginning: NewProject): Promise<string> {
  const {
    members,
    client_ids,
    template,
    start_date,
    end_date,
    budget,
    hourly_rate,
    tags = [],
    actor_id,
    ...columns
  } = beginning;
  assertOrder(start_date, end_date);
  const id = randomUUIDv7();
  const code = columns.code ?? (await freeCode(db, columns.name));
  const { currency } = columns;
  await db.project.create({
    data: {
      ...columns,
      id,
      code,
      budget: budget && exactAmount(budget, currency, 'budget'),
      hourly_rate,
      tags: [...new Set(tags)],
      start_date: midnight(start_date) ?? null,
      end_date: midnight(end_date) ?? null,
      template_id: template?.id ?? null,
    },
  });
  await claimCode(db, id, code);
  const object = { type: 'project', id, label: columns.name } as const;
  await recordActivities(db, [{ project_id: id, verb: 'created', object, client_visible: true }]);
  await upsertMembers(db, id, members);
  await addClients(db, id, client_ids);
  const stages = await copyStages(db, template?.id ?? null, id);
  if (template)
    await copyTemplate(db, template, { id, start_date, stages, actor_id, is_template: columns.is_template ?? false });
  const { customer_id, deal_id } = columns;
  emit(ProjectCreated, {
    project_id: id,
    code,
    name: columns.name,
    customer_id: customer_id ?? '',
    deal_id: deal_id ?? '',
  });
  return id;
}

/** Creates a project managed by its creator. Returns its ID. */
export async function createProject(
  { db, caller, emit }: CommandContext,
  { template_id, members = [], client_ids = [], ...input }: ProjectInput,
  { people, customer }: ProjectReferences,
): Promise<string> {
  await customerCopies.remember(db, customer);
  await upsertUserCopies(db, [userOf(caller), ...people]);
  const template = template_id ? await templateOf(db, template_id) : undefined;
  return await openProject(db, emit, {
    ...input,
    currency: input.currency ?? caller.currency,
    customer_name: customer?.name ?? null,
    members: managedBy(caller, members),
    client_ids,
    template,
    actor_id: caller.user_id,
  });
}

/** Rejects a currency change if the project already has amounts in its currency. */
async function assertCurrencyFree(db: Db, { id, budget }: { id: string; budget: unknown }): Promise<void> {
  const amountsOf = async () => {
    const [held] = await db.rows<{ milestones: number; time_entries: number; expenses: number }>(sql`
      SELECT (SELECT count(*)::int FROM milestones WHERE project_id = ${id}::uuid AND cost IS NOT NULL) AS milestones,
        (SELECT count(*)::int FROM time_entries WHERE project_id = ${id}::uuid) AS time_entries,
        (SELECT count(*)::int FROM project_expenses WHERE project_id = ${id}::uuid) AS expenses`);
    return held!;
  };
  if (budget !== null) throw await inUseFault(amountsOf, (seen) => ({ budget: true, ...seen }));
  await assertUnused(amountsOf, (seen) => ({ budget: false, ...seen }));
}

type Row = Awaited<ReturnType<typeof find<Db['project']>>>;

/** Updates the changed fields, and returns the history entry. */
async function changeFields(
  db: Db,
  row: Row,
  input: Omit<ProjectChanges, 'members' | 'client_ids' | 'status' | 'version'>,
  customer: Customer | undefined,
): Promise<NewActivity[]> {
  const { patch, diff } = changesOf(row, input);
  if (diff['currency']) await assertCurrencyFree(db, row);
  if (Object.keys(diff).length === 0) return [];
  if (diff['code']) await claimCode(db, row.id, input.code!);
  if (diff['customer_id']) patch['customer_name'] = customer?.name ?? null;
  await db.project.updateMany({ where: { id: row.id }, data: patch });
  const verb = diff['active'] ? (input.active ? 'unarchived' : 'archived') : 'updated';
  const object = { type: 'project', id: row.id, label: input.name ?? row.name } as const;
  return [{ project_id: row.id, verb, object, diff, client_visible: true }];
}

/** Changes the status of a project to the one in the body. @throws InvalidTransition */
async function changeStatus(context: CommandContext, row: Row, to: string): Promise<NewActivity[]> {
  const { db, caller, emit } = context;
  const { id, name, status: from } = row;
  if (!(await moveTo(projectStates, db.project, row, to, { caller }))) return [];
  emit(ProjectStatusChanged, { project_id: id, from, to });
  const object = { type: 'project', id, label: name } as const;
  return [{ project_id: id, verb: 'status_changed', object, diff: { status: [from, to] }, client_visible: true }];
}

/**
 * Rejects a project with a running timer. @throws TimerRunning; the project is locked, so no timer starts concurrently
 */
async function assertNothingRuns(db: Db, project_id: string): Promise<void> {
  const running = await db.timeEntry.count({ where: { project_id, status: 'running' } });
  if (running > 0) throw TimerRunning({ timers: running });
}

/**
 * Updates a project, its users and its status. @throws ProjectArchived, TimerRunning, ProjectUnmanaged,
 * InvalidTransition, Stale
 */
export async function updateProject(
  context: CommandContext,
  id: string,
  { version: _, status, members, client_ids, ...input }: ProjectChanges,
  { expect, people, customer }: ProjectReferences & { expect: number | undefined },
): Promise<void> {
  const { db } = context;
  await customerCopies.remember(db, customer);
  const { role } = await findProject(context, id, { lock: 'update' });
  assertRole(role, 'manager');
  const row = await find(db.project, id);
  assertVersion(row, expect);
  // Restoring is the only allowed change of an archived project.
  if (!input.active) assertActive(row);
  if (row.active && input.active === false) await assertNothingRuns(db, id);
  await upsertUserCopies(db, people);
  const lines = await changeFields(db, row, input, customer);
  if (status) lines.push(...(await changeStatus(context, row, status)));
  const changedPeople = [
    ...(members ? await replaceMembers(context, id, members) : []),
    ...(client_ids ? await replaceClients(db, id, client_ids) : []),
  ];
  // The response of the project includes its users, so its version counts their changes, too.
  if (lines.length === 0 && changedPeople.length > 0)
    await db.project.updateMany({ where: { id }, data: { updated_at: clock.now() } });
  await recordActivities(db, [...lines, ...changedPeople]);
  if (members) await assertManaged(db, id);
}

/** Changes only the status of a project. */
export async function updateStatus(
  context: CommandContext,
  id: string,
  status: string,
  expect: number | undefined,
): Promise<void> {
  await enterProject(context, id, 'manager', { lock: 'update' });
  const row = await find(context.db.project, id);
  assertVersion(row, expect);
  await recordActivities(context.db, await changeStatus(context, row, status));
}

/**
 * Checks that a project can be deleted. @throws InUse with the counts of its time entries, expenses, bills and copied
 * projects
 */
const assertRemovable = (db: Db, id: string): Promise<void> =>
  assertUnused(async () => {
    const [held] = await db.rows<Record<'time_entries' | 'expenses' | 'invoices' | 'copies', number>>(sql`
      SELECT (SELECT count(*)::int FROM time_entries WHERE project_id = ${id}::uuid) AS time_entries,
        (SELECT count(*)::int FROM project_expenses WHERE project_id = ${id}::uuid) AS expenses,
        (SELECT count(*)::int FROM billing_runs WHERE project_id = ${id}::uuid) AS invoices,
        (SELECT count(*)::int FROM projects WHERE template_id = ${id}::uuid) AS copies`);
    return held!;
  });

/** Deletes a project with everything in it, including its files. @throws InUse if time or a bill refers to it */
export async function removeProject(context: CommandContext, id: string): Promise<{ id: string }> {
  const { role } = await findProject(context, id, { lock: 'update' });
  assertRole(role, 'manager');
  await assertRemovable(context.db, id);
  await context.db.settings.updateMany({ where: { deal_template_id: id }, data: { deal_template_id: null } });
  return await remove(context.db.project, id);
}
