/** Rows of a demo workspace, collected first and inserted in few statements. */
import { insertRows, withIds } from '@suite/demo';
import type { Prisma } from '../generated/client.ts';
import type { Db } from '../operations.ts';

/** Rows to insert, by table. */
export interface DemoRows {
  leads: Prisma.LeadCreateManyInput[];
  deals: Prisma.DealCreateManyInput[];
  tasks: Prisma.TaskCreateManyInput[];
  calls: Prisma.CallCreateManyInput[];
  discussions: Prisma.DiscussionCreateManyInput[];
  emails: Prisma.EmailCreateManyInput[];
  stage_changes: Prisma.StageChangeCreateManyInput[];
  activities: Prisma.ActivityCreateManyInput[];
  lead_labels: Prisma.LeadLabelCreateManyInput[];
  lead_sources: Prisma.LeadSourceCreateManyInput[];
  lead_users: Prisma.LeadUserCreateManyInput[];
  deal_labels: Prisma.DealLabelCreateManyInput[];
  deal_sources: Prisma.DealSourceCreateManyInput[];
  deal_users: Prisma.DealUserCreateManyInput[];
  deal_clients: Prisma.DealClientCreateManyInput[];
  opportunities: Prisma.OpportunityCreateManyInput[];
  meetings: Prisma.MeetingCreateManyInput[];
  attendees: Prisma.MeetingAttendeeCreateManyInput[];
}

export const noDemoRows = (): DemoRows => ({
  leads: [],
  deals: [],
  tasks: [],
  calls: [],
  discussions: [],
  emails: [],
  stage_changes: [],
  activities: [],
  lead_labels: [],
  lead_sources: [],
  lead_users: [],
  deal_labels: [],
  deal_sources: [],
  deal_users: [],
  deal_clients: [],
  opportunities: [],
  meetings: [],
  attendees: [],
});

const time = (at: Date | string | undefined): number => new Date(at ?? 0).getTime();

/**
 * Sorts the cards by the time that they reached their stage, so that the last is on top. Sets the last activity of
 * each.
 */
function rankCards<Card extends Prisma.LeadCreateManyInput | Prisma.DealCreateManyInput>(
  cards: Card[],
  lastActivity: ReadonlyMap<string, Date>,
): Card[] {
  return cards
    .map((card) => {
      const last_activity_at = lastActivity.get(card.id as string) as Date;
      return { ...card, last_activity_at, updated_at: last_activity_at, updated_by: card.created_by ?? null };
    })
    .toSorted((a, b) => time(a.stage_since) - time(b.stage_since));
}

/** Inserts all rows, table by table. */
export async function insertDemoRows(db: Db, rows: DemoRows): Promise<void> {
  const lastActivity = new Map<string, Date>();
  for (const { lead_id, deal_id, at } of rows.activities) {
    const id = (lead_id ?? deal_id) as string;
    if (time(at) >= time(lastActivity.get(id))) lastActivity.set(id, at as Date);
  }
  // A converted lead references its deal. The foreign key is checked when the transaction ends.
  await insertRows(db, 'leads', rankCards(rows.leads, lastActivity));
  await insertRows(db, 'deals', rankCards(rows.deals, lastActivity));
  await insertRows(db, 'tasks', rows.tasks);
  await insertRows(db, 'calls', rows.calls);
  await insertRows(db, 'discussions', rows.discussions);
  await insertRows(db, 'emails', rows.emails);
  await insertRows(db, 'stage_changes', withIds(rows.stage_changes));
  await insertRows(db, 'activities', withIds(rows.activities));
  await insertRows(db, 'lead_labels', rows.lead_labels);
  await insertRows(db, 'lead_sources', rows.lead_sources);
  await insertRows(db, 'lead_users', rows.lead_users);
  await insertRows(db, 'deal_labels', rows.deal_labels);
  await insertRows(db, 'deal_sources', rows.deal_sources);
  await insertRows(db, 'deal_users', rows.deal_users);
  await insertRows(db, 'deal_clients', rows.deal_clients);
  await insertRows(db, 'opportunities', rows.opportunities);
  await insertRows(db, 'meetings', rows.meetings);
  await insertRows(db, 'meeting_attendees', withIds(rows.attendees));
}
