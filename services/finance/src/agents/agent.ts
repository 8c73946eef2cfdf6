/** Agents: users who sell for a commission, each under a plan. */
import { assertUnused, type Caller, change, find, invalid, remove, sql } from '@suite/chassis';
import type { Db, Rpc } from '../operations.ts';
import { assertMayLink } from '../parties/portal-user.ts';
import type { AgentChanges, AgentInput } from './agent.schema.ts';

/** Asks platform for the user who is to sell. @throws a 422 that names the field */
export async function askForSeller(
  rpc: Rpc,
  caller: Caller,
  { user_id }: { user_id?: string | undefined },
): Promise<void> {
  if (!user_id) return;
  // An agent sees their commissions, and the invoices that name them.
  assertMayLink(caller, 'agent');
  const { users } = await rpc.platform.batchGetUsers({ user_ids: [user_id] });
  const [user] = users;
  if (!user || user.status === 'disabled') throw invalid('user_id', 'User not found.');
}

/** @throws a 422 for a plan that is unknown or archived */
async function assertPlan(db: Db, id: string): Promise<void> {
  const [plan] = await db.rows<{ active: boolean }>(sql`
    SELECT active FROM commission_plans WHERE id = ${id}::uuid FOR KEY SHARE`);
  if (!plan) throw invalid('plan_id', 'Plan not found.');
  if (!plan.active) throw invalid('plan_id', 'This plan is archived.');
}

export async function createAgent(db: Db, input: AgentInput): Promise<string> {
  await assertPlan(db, input.plan_id);
  const { id } = await db.agent.create({ data: input });
  return id;
}

/** Changes an agent. What was sold stays under the plan that it was posted under. */
export async function changeAgent(
  db: Db,
  id: string,
  { version: _, ...patch }: AgentChanges,
  expect: number | undefined,
): Promise<void> {
  if (patch.plan_id) await assertPlan(db, patch.plan_id);
  await change(db.agent, id, patch, expect);
}

/** Deletes an agent who has sold nothing; others are archived by a change. @throws InUse */
export async function removeAgent(db: Db, id: string): Promise<{ id: string }> {
  await find(db.agent, id);
  await assertUnused(async () => {
    const [held] = await db.rows<{ sales_invoices: number; commissions: number }>(sql`
      SELECT (SELECT count(*)::int FROM sales_invoices WHERE agent_id = ${id}::uuid) AS sales_invoices,
        (SELECT count(*)::int FROM commission_lines WHERE agent_id = ${id}::uuid) AS commissions`);
    return held!;
  });
  return await remove(db.agent, id);
}

/** Refuses to name an agent who is not there, or archived, on a draft. @throws a 422 */
export async function assertAgent(db: Db, agent_id: string | null | undefined): Promise<void> {
  if (!agent_id) return;
  const [agent] = await db.rows<{ active: boolean }>(sql`
    SELECT active FROM agents WHERE id = ${agent_id}::uuid FOR KEY SHARE`);
  if (!agent) throw invalid('agent_id', 'Agent not found.');
  if (!agent.active) throw invalid('agent_id', 'This agent is archived.');
}
