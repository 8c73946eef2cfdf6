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
function settled<Card extends Prisma.LeadCreateManyInput | Prisma.DealCreateManyInput>(
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
export async function insertDemoRows(db: Db, book: DemoRows): Promise<void> {
  const lastActivity = new Map<string, Date>();
  for (const { lead_id, deal_id, at } of book.activities) {
    const id = (lead_id ?? deal_id) as string;
    if (time(at) >= time(lastActivity.get(id))) lastActivity.set(id, at as Date);
  }
  // A converted lead references its deal. The foreign key is checked when the transaction ends.
  await insertRows(db, 'leads', settled(book.leads, lastActivity));
  await insertRows(db, 'deals', settled(book.deals, lastActivity));
  await insertRows(db, 'tasks', book.tasks);
  await insertRows(db, 'calls', book.calls);
  await insertRows(db, 'discussions', book.discussions);
  await insertRows(db, 'emails', book.emails);
  await insertRows(db, 'stage_changes', withIds(book.stage_changes));
  await insertRows(db, 'activities', withIds(book.activities));
  await insertRows(db, 'lead_labels', book.lead_labels);
  await insertRows(db, 'lead_sources', book.lead_sources);
  await insertRows(db, 'lead_users', book.lead_users);
  await insertRows(db, 'deal_labels', book.deal_labels);
  await insertRows(db, 'deal_sources', book.deal_sources);
  await insertRows(db, 'deal_users', book.deal_users);
  await insertRows(db, 'deal_clients', book.deal_clients);
  await insertRows(db, 'opportunities', book.opportunities);
  await insertRows(db, 'meetings', book.meetings);
  await insertRows(db, 'meeting_attendees', withIds(book.attendees));
}
