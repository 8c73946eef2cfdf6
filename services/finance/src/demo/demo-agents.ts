/** Demo agents with their commission plans. */
import type { DemoUser } from '@suite/demo';
import { createAgent } from '../commissions/agents/agent.ts';
import { createPlan } from '../commissions/commission-plans/plan.ts';
import type { DemoContext } from './demo-context.ts';

/** Returns the sales users, or all users if there are none. */
function sellersAmong(users: readonly DemoUser[]): readonly DemoUser[] {
  const people = users.filter(({ kind }) => kind === 'staff' || kind === 'owner');
  const sales = people.filter(({ role }) => role === 'sales');
  return (sales.length > 0 ? sales : people).slice(0, 2);
}

/** Creates a tiered plan and up to two agents with it. */
export async function addAgents({ command: { db, caller } }: DemoContext, users: readonly DemoUser[]): Promise<void> {
  const tiers = [
    { up_to: '5000', rate: '3' },
    { up_to: null, rate: '5' },
  ];
  const plan = { name: 'Sales commission', type: 'tiered', base: 'net', trigger: 'posting' } as const;
  const plan_id = await createPlan(db, { ...plan, tiers }, caller);
  for (const [at, { id: user_id, name }] of sellersAmong(users).entries()) {
    await createAgent(db, { user_id, name, code: `AG-0${at + 1}`, plan_id });
  }
}
