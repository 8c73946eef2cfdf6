import type { Db } from '../../operations.ts';

const DAY = [['09:00', '17:00']];
const slaTargets = (first_response_minutes: number, resolution_minutes: number) => ({
  first_response_minutes,
  resolution_minutes,
});

/** SLA targets of a new workspace by priority, in working minutes. */
const TARGETS = {
  urgent: slaTargets(60, 480),
  high: slaTargets(120, 960),
  medium: slaTargets(240, 1_440),
  low: slaTargets(480, 2_400),
};

/** Creates the default calendar and policy of a workspace, unless it has some. */
export async function providePolicy(db: Db, timezone: string): Promise<void> {
  if ((await db.calendar.count()) > 0) return;
  const hours = { 1: DAY, 2: DAY, 3: DAY, 4: DAY, 5: DAY };
  const { id: calendar_id } = await db.calendar.create({ data: { name: 'Office hours', timezone, hours } });
  const pause_in = ['pending', 'on_hold'];
  await db.slaPolicy.create({ data: { name: 'Standard', position: 0, targets: TARGETS, calendar_id, pause_in } });
}
