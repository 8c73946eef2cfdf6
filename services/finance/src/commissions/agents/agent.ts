/** Agents: users who sell for a commission, each with a plan. */
import { change, find, remove, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { assertUnused } from '@suite/chassis/lists';
import type { Db, Rpc } from '../../operations.ts';
import { assertMayLink } from '../../parties/portal-user.ts';
import type { AgentChanges, AgentInput } from './agent.schema.ts';

/** Requests the user of an agent from platform. @throws a 422 that names the field */
export async function fetchSeller(
  rpc: Rpc,
  caller: Caller,
  { user_id }: { user_id?: string | undefined },
): Promise<void> {
  if (!user_id) return;
  // Agents see their commissions and their invoices.
  assertMayLink(caller, 'agent');
  const { users } = await rpc.platform.batchGetUsers({ user_ids: [user_id] });
  const [user] = users;
  if (!user || user.status === 'disabled') throw invalid('user_id', 'User not found.');
}

/** Checks that a plan exists and is not archived. @throws a 422 */
async function assertPlan(db: Db, id: string): Promise<void> {
  const [plan] = await db.rows<{ active: boolean }>(sql`
    SELECT active FROM commission_plans WHERE id = ${id}::uuid FOR KEY SHARE`);
  if (!plan) throw invalid('plan_id', 'Plan not found. Choose a plan from the list.');
  if (!plan.active) throw invalid('plan_id', 'This plan is archived. Choose another plan.');
}

export async function createAgent(db: Db, input: AgentInput): Promise<string> {
  await assertPlan(db, input.plan_id);
  const { id } = await db.agent.create({ data: input });
  return id;
}

/** Updates an agent. Earlier sales keep the plan that they were posted with. */
export async function changeAgent(
  db: Db,
  id: string,
  { version: _, ...patch }: AgentChanges,
  expect: number | undefined,
): Promise<void> {
  if (patch.plan_id) await assertPlan(db, patch.plan_id);
  await change(db.agent, id, patch, expect);
}

/** Deletes an agent without sales. Agents with sales can only be archived. @throws InUse */
export async function removeAgent(db: Db, id: string): Promise<{ id: string }> {
  await find(db.agent, id);
  await assertUnused(async () => {
    const [references] = await db.rows<{ sales_invoices: number; commissions: number }>(sql`
      SELECT (SELECT count(*)::int FROM sales_invoices WHERE agent_id = ${id}::uuid) AS sales_invoices,
        (SELECT count(*)::int FROM commission_lines WHERE agent_id = ${id}::uuid) AS commissions`);
    return references!;
  });
  return await remove(db.agent, id);
}

/** Rejects an unknown or archived agent on a draft. @throws a 422 */
export async function assertAgent(db: Db, agent_id: string | null | undefined): Promise<void> {
  if (!agent_id) return;
  const [agent] = await db.rows<{ active: boolean }>(sql`
    SELECT active FROM agents WHERE id = ${agent_id}::uuid FOR KEY SHARE`);
  if (!agent) throw invalid('agent_id', 'Agent not found.');
  if (!agent.active) throw invalid('agent_id', 'This agent is archived. Choose another agent.');
}
