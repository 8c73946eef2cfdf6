/** Creation of a project for a won deal, from the template in the workspace settings. */
import { sql } from '@suite/chassis/database';
import type { Emit } from '@suite/chassis/operations';
import type { DealWon } from '@suite/proto/crm/v1/events';
import type { Db } from '../../operations.ts';
import { settingsOf } from '../../work/settings/settings.ts';
import { openProject } from './project.ts';
import { templateOf } from './project-template.ts';

/** Returns the manager of the project: the owner of the deal, or else an owner of the workspace. */
async function managerOf(db: Db, owner_id: string): Promise<string> {
  const [manager] = await db.rows<{ id: string }>(sql`
    SELECT id FROM users WHERE kind IN ('owner', 'staff') AND status <> 'former'
      AND (id::text = ${owner_id} OR kind = 'owner')
    ORDER BY id::text = ${owner_id} DESC, status = 'active' DESC, id LIMIT 1`);
  if (!manager) throw new Error('No workspace owner is available to manage the project.');
  return manager.id;
}

/**
 * Creates the project of a deal, once per deal, even if it is won again. Chosen: an archived template creates nothing.
 * The workspace has to choose another one.
 */
export async function beginForDeal(db: Db, emit: Emit, deal: DealWon): Promise<void> {
  const { deal_template_id } = await settingsOf(db);
  if (!deal_template_id) return;
  const chosen = await db.project.findFirst({ where: { id: deal_template_id, is_template: true, active: true } });
  const existing = await db.project.findFirst({ where: { deal_id: deal.deal_id } });
  if (!chosen || existing) return;
  const customer_id = deal.customer_id || null;
  await openProject(db, emit, {
    name: deal.name,
    status: 'not_started',
    currency: deal.currency,
    deal_id: deal.deal_id,
    customer_id,
    customer_name: deal.customer_name || null,
    description: chosen.description,
    billable: chosen.billable,
    tags: chosen.tags,
    color: chosen.color,
    members: [{ user_id: await managerOf(db, deal.owner_id), role: 'manager' }],
    client_ids: [],
    template: await templateOf(db, chosen.id),
    actor_id: null,
  });
}
